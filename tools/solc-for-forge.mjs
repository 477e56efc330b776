#!/usr/bin/env node
// Acts as the program `solc` for forge: npm's compiler with solc's flags.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const solc = createRequire(`${process.env.TOLLFREE_ROOT}/test/package.json`)('solc');
process.stdout.write(
  process.argv.includes('--version') ? `Version: ${solc.version()}\n` : solc.compile(readFileSync(0, 'utf8')),
);
