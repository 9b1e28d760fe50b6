#!/usr/bin/env bash
# Takes the pictures of the documents and of the cookbook in the editor (8 min), the animated one with img2webp
# (apt-get install webp). Run npm run setup:n8n first.
set -euo pipefail
cd "$(dirname "$0")/../.."

npm run build
jest() { PICTURES=docs/pictures npx jest --config test/n8n/jest.config.js "$@"; }
jest editor messages suite/links arrangement byName
jest suite/trigger.test -t 'In the editor'
npx tsx test/n8n/canvas.ts
npx tsx test/n8n/animation.ts
