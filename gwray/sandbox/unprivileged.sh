#!/bin/sh
# Chromium refuses its sandbox to root. In a user namespace of its own it is nobody, without a way back.
exec unshare --user --map-user=65534 --map-group=65534 -- "$GWRAY_CHROMIUM" "$@"
