import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const root = resolve(import.meta.dirname, '../..');
const readme = join(root, 'clients/sdk/README.md');
const examplePattern = /<!-- example: (?<name>[\w-]+\.ts) -->\n```ts\n(?<code>[\s\S]*?)```/g;

/** Longest run of one example, in milliseconds. */
const timeout = 50_000;

/** The README's examples in the folder of an application that has this package and its dependencies installed. */
export type ReadmeExamples = {
  readonly names: readonly string[];
  /** Type checks all of them as strictly as this repository. Rejects with the compiler's output. */
  check(): Promise<void>;
  /** Runs one to its end and gives back the lines it printed. Rejects when it failed. */
  run(name: string, environment: Readonly<Record<string, string>>): Promise<readonly string[]>;
  close(): void;
};

export function extractReadmeExamples(): ReadmeExamples {
  const folder = mkdtempSync(join(tmpdir(), 'tollfree-readme-'));
  mkdirSync(join(folder, 'node_modules'));
  for (const name of ['viem', 'permissionless', 'tsx', '@types']) {
    symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name));
  }
  mkdirSync(join(folder, 'node_modules/@tollfree'));
  symlinkSync(join(root, 'clients/sdk'), join(folder, 'node_modules/@tollfree/sdk'));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module", "private": true }');
  const options = { noEmit: true, incremental: false, tsBuildInfoFile: null };
  const config = { extends: join(root, 'tsconfig.json'), compilerOptions: options, include: ['*.ts'] };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
  const names: string[] = [];
  for (const { groups } of readFileSync(readme, 'utf8').matchAll(examplePattern)) {
    const { name = '', code = '' } = groups ?? {};
    writeFileSync(join(folder, name), code);
    names.push(name);
  }
  return {
    names,
    check: async () => {
      await run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', folder], { timeout });
    },
    run: async (name, environment) => {
      const { PATH = '' } = process.env;
      const options = { cwd: folder, env: { PATH, ...environment }, timeout };
      const { stdout } = await run(
        process.execPath,
        ['--conditions=@tollfree/source', '--import', 'tsx', name],
        options,
      );
      return stdout.trim().split('\n');
    },
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}
