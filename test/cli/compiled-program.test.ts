import { readdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, inject, test } from 'vitest';
import { runTollfree } from '../support/command-line/run-tollfree.ts';

/** Of threads, which are given their work when they start. */
const entriesOfThreads = ['read-worker.js', 'chain-worker.js'];

// Most tests run commands from their sources: what a build could leave out would be missed by none of them.
test('every file of the compiled program loads', async () => {
  const folder = resolve(dirname(inject('program')), '../chunks/all');
  const names = readdirSync(folder).filter((name) => name.endsWith('.js') && !entriesOfThreads.includes(name));
  expect(names.length).toBeGreaterThan(100);
  const imports = names.map((name) => `import '${pathToFileURL(join(folder, name)).href}';`);
  const loading = ['--input-type=module', '--eval', imports.join('\n')];
  expect(await runTollfree([], { program: loading })).toEqual({ code: 0, stdout: '', stderr: '' });
});
