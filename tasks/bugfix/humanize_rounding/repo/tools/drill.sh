#!/bin/sh
# sh tools/drill.sh COMMAND...: run a command on the tape of the last drill.
export QUAY_TAPE=drill PYTHONPATH=src
exec "$@"
