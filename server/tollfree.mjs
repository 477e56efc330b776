#!/usr/bin/env node
// The installed command. It runs the compiled program, or in an unbuilt clone, its sources.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const compiled = new URL('../dist/server/tollfree.js', import.meta.url);
const source = new URL('./tollfree.ts', import.meta.url);

if (existsSync(compiled)) await import(compiled.href);
else runSources();

/** Runs the sources in a separate process, since they need flags of Node.js. */
function runSources() {
  let tsx;
  try {
    tsx = import.meta.resolve('tsx');
  } catch {
    process.stderr.write('tollfree: This clone is not built. Run `npm ci`, then `npm run build`.\n');
    process.exit(1);
  }
  const flags = ['--conditions=@tollfree/source', '--import', tsx, fileURLToPath(source)];
  const child = spawn(process.execPath, [...flags, ...process.argv.slice(2)], { stdio: 'inherit' });
  // The terminal sends Ctrl-C to both; the program decides when to end.
  process.on('SIGINT', () => undefined);
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}
