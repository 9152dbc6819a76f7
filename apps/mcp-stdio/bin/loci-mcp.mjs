#!/usr/bin/env node
// Is there before the build, so that installing the workspace links it.
await import('../dist/main.js');
