import { execFile } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { type Copy, DockerfileParser, type Instruction } from 'dockerfile-ast';
import { copySqliteBinding } from '../support/packages/pack.ts';
import { root } from './monitoring-files.ts';

const run = promisify(execFile);

/** Longest run of one instruction, in milliseconds. */
const timeout = 300_000;

/** Instructions of the image's two stages, in order; `RUN` lines that are for the base image's machine alone are left out. */
export function readStages(): readonly (readonly Instruction[])[] {
  const stages: Instruction[][] = [];
  for (const instruction of DockerfileParser.parse(readFileSync(join(root, 'Dockerfile'), 'utf8')).getInstructions()) {
    if (instruction.getKeyword() === 'FROM') stages.push([]);
    stages.at(-1)?.push(instruction);
  }
  return stages;
}

/** What an instruction says, its lines as one. */
export function textOf(instruction: Instruction): string {
  return (instruction.getArgumentsContent() ?? '').replaceAll(/\\\n\s*/g, '');
}

/** Whether Docker is not to see a file, by `.dockerignore`: the last line that fits decides. */
export function isIgnored(path: string): boolean {
  const lines = readFileSync(join(root, '.dockerignore'), 'utf8').split('\n');
  return lines
    .filter((line) => line !== '' && !line.startsWith('#'))
    .reduce((ignored, line) => {
      const pattern = line.replace(/^!/, '');
      const form = pattern
        .replaceAll('.', '\\.')
        .replaceAll('**/', '(.+/)?')
        .replaceAll(/(?<!\))\*/g, '[^/]*');
      return new RegExp(`^${form}(/|$)`).test(path) ? !line.startsWith('!') : ignored;
    }, false);
}

/**
 * Does in folders what `docker build` does in containers: the files of the repository, the commands of the first stage, the
 * copies of the second. Packages come from npm's cache where they are there, without their install scripts. Answers the
 * folder that the image has as `/app`, which no one may write to.
 */
export async function buildApp(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'tollfree-image-'));
  chmodSync(folder, 0o755);
  const [source, app] = [join(folder, 'src'), join(folder, 'app')];
  mkdirSync(app);
  await copyContext(source);
  const [build = [], final = []] = readStages();
  for (const instruction of build) {
    const command = textOf(instruction);
    if (instruction.getKeyword() !== 'RUN' || command.startsWith('apk ')) continue;
    const env = { ...process.env, npm_config_ignore_scripts: 'true', npm_config_prefer_offline: 'true' };
    await run('sh', ['-c', command], { cwd: source, timeout, env, maxBuffer: 2 ** 26 });
    if (command.startsWith('npm ci')) copySqliteBinding(source);
  }
  for (const instruction of final) {
    if (instruction.getKeyword() === 'COPY') copy(instruction as Copy, { source, app });
  }
  await run('chmod', ['-R', 'a-w', app]);
  return app;
}

async function copyContext(target: string): Promise<void> {
  const listed = await run('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: root });
  for (const path of listed.stdout.split('\n').filter((name) => name !== '' && !isIgnored(name))) {
    mkdirSync(dirname(join(target, path)), { recursive: true });
    cpSync(join(root, path), join(target, path));
  }
}

function copy(instruction: Copy, { source, app }: { source: string; app: string }): void {
  const names = instruction.getArguments().map((argument) => argument.getValue());
  const target = names.pop() ?? '.';
  for (const name of names) {
    const from = join(source, name.replace(/^\/src\//, ''));
    const to = target.endsWith('/') ? join(app, target, name.split('/').at(-1) ?? '') : join(app, target);
    cpSync(from, to, { recursive: true, verbatimSymlinks: true });
  }
}
