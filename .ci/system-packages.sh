#!/bin/sh
# Installs what sheetscan needs beside Python packages, where it is missing: Python with venv, and Tesseract
# (for the printed code of a sheet whose QR code is damaged, and as a reader to compare with).
set -eu

missing=""
python3 -c 'import ensurepip, venv' 2>/dev/null || missing="$missing python3 python3-venv"
command -v tesseract >/dev/null 2>&1 || missing="$missing tesseract-ocr"
[ -n "$missing" ] || exit 0

by_hand() {
    echo "system-packages: $1; please install by hand:$missing" >&2
    # Without Tesseract everything but its reader works.
    [ "$missing" = " tesseract-ocr" ] && exit 0
    exit 1
}

command -v apt-get >/dev/null 2>&1 || by_hand "this is no Debian or Ubuntu"
as_root=""
if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null 2>&1 || by_hand "not root, and there is no sudo"
    as_root="sudo"
fi
echo "system-packages: installing$missing" >&2
$as_root apt-get update -q >&2
# shellcheck disable=SC2086  # the list is meant to be split
$as_root env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends $missing >&2
