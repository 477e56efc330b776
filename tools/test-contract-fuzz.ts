import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { hexToBytes } from 'viem';
import { readEntryPoint } from '../server/dev/devnet/deployments.ts';
import { tollfreePaymasterBytecode } from '../server/paymaster-contract/tollfree-paymaster.generated.ts';
import { installSeparately } from './separate/install-separately.ts';

/** Its 85 MB are too much for the lock file. */
const forge = { name: '@foundry-rs/forge', version: '1.7.1' };
const root = resolve(import.meta.dirname, '..');

/**
 * `npm run test:contract-fuzz`: Foundry's forge searches for operations with equal digests and for ways to withdraw the
 * deposit of Tollfree's own paymaster contract, on the published EntryPoints 0.8 and 0.9. `-- --minutes 10` continues with
 * other seeds for that long, `--seed 7` starts with another seed than 1; arguments after `--` go to forge. Exits 1 when a
 * property does not hold; forge prints the counterexample.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { minutes: { type: 'string', default: '0' }, seed: { type: 'string', default: '1' } },
});

const installed = installSeparately(forge);
process.exit(installed === undefined ? 1 : run(installed));

function run(forgeFolder: string): number {
  const program = findProgram(forgeFolder);
  const project = writeProject();
  const end = Date.now() + Number(values.minutes) * 60_000;
  let seed = BigInt(values.seed);
  try {
    do {
      process.stdout.write(`Seed ${seed}\n`);
      const args = ['test', '--fuzz-seed', `${seed}`, ...positionals];
      const { status } = spawnSync(program, args, {
        cwd: project,
        env: { ...process.env, TOLLFREE_ROOT: root },
        stdio: 'inherit',
      });
      if (status !== 0) return status ?? 1;
      seed += 1n;
    } while (Date.now() < end);
    return 0;
  } finally {
    rmSync(project, { recursive: true, force: true });
  }
}

/** The binary itself, which npm installs next to the package: the package's wrapper exits with 0 when a test fails. */
function findProgram(forgeFolder: string): string {
  const makers = dirname(forgeFolder);
  const platform = readdirSync(makers).find((name) => name.startsWith('forge-'));
  if (platform === undefined) throw new Error('npm has no forge for this platform.');
  return join(makers, platform, 'bin/forge');
}

/** A forge project with the tests, the code that they deploy, and this repository's compiler. */
function writeProject(): string {
  const project = mkdtempSync(join(tmpdir(), 'tollfree-contract-fuzz-'));
  cpSync(join(root, 'test/contract-fuzz'), join(project, 'test'), { recursive: true });
  mkdirSync(join(project, 'code'));
  const codes = {
    EntryPoint08: readEntryPoint('0.8'),
    EntryPoint09: readEntryPoint('0.9'),
    TollfreePaymaster: tollfreePaymasterBytecode,
  } as const;
  for (const [name, code] of Object.entries(codes)) writeFileSync(join(project, 'code', name), hexToBytes(code));
  const compiler = join(project, 'solc.mjs');
  cpSync(join(import.meta.dirname, 'solc-for-forge.mjs'), compiler);
  chmodSync(compiler, 0o755);
  writeFileSync(
    join(project, 'foundry.toml'),
    `[profile.default]
test = "test"
solc = ${JSON.stringify(compiler)}
offline = true
evm_version = "prague"
via_ir = true
optimizer = true
gas_limit = 1000000000
fs_permissions = [{ access = "read", path = "./code" }]
[fuzz]
runs = 2000
[invariant]
runs = 60
depth = 60
fail_on_revert = true
`,
  );
  return project;
}
