import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { privateKeyToAccount } from 'viem/accounts';
import { inject } from 'vitest';
import { leaseDevnet, leasedSignerKey } from '../support/chain/lease-devnet.ts';
import { runInPlace } from '../support/command-line/run-in-place.ts';
import { type RunningTollfree, startTollfree } from '../support/command-line/running-tollfree.ts';
import { writeKeystore } from '../support/command-line/write-keystore.ts';
import { deployFamilies } from '../support/paymaster-contracts/deploy-families.ts';
import { type ProductionSettings, productionConfig } from '../support/service/production-config.ts';
import { emptyPostgres } from '../support/store/test-database.ts';

const password = 'a password of the test';
const env = { NODE_ENV: 'production' };

/** What processes of the compiled program at one PostgreSQL database and one chain have in common. */
export async function prepareProcesses(settings: ProductionSettings = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'tollfree-cores-'));
  const file = (name: string) => join(folder, name);
  writeFileSync(file('master.key'), 'ab'.repeat(32), { mode: 0o600 });
  writeFileSync(file('password'), password, { mode: 0o600 });
  writeKeystore(file('signer.json'), password, leasedSignerKey);
  const devnet = await leaseDevnet();
  const families = await deployFamilies({ devnet, signer: privateKeyToAccount(leasedSignerKey), close: devnet.close });
  const { databaseFile: _, ...config } = productionConfig(devnet, families, settings) as { databaseFile: string };
  const databaseUrl = (await emptyPostgres()).reveal();
  const started: RunningTollfree[] = [];
  return {
    devnet,
    families,
    file,
    /** The configuration of all, to which each has something of its own. */
    config: { ...config, databaseUrl },
    databaseUrl,
    /** Starts `tollfree`, or another program, with a configuration of that name; resolves to it and what it says when it has started. */
    async start(command: string, name: string, own: object, program = inject('program')) {
      writeFileSync(file(`${name}.json`), JSON.stringify(own));
      const process = startTollfree([command, '--config', file(`${name}.json`)], { env, program: [program] });
      started.push(process);
      const line = await process.line('stderr', /"msg":"started"/);
      return { process, said: JSON.parse(line) as { readonly url: string; readonly adminUrl: string } };
    },
    /** What a command of the operator prints; it has to end well. */
    async printed(...args: readonly string[]): Promise<string> {
      const { code, stdout, stderr } = await runInPlace(args, { env });
      if (code !== 0) throw new Error(`tollfree ${args.join(' ')} ended with ${code}: ${stdout}${stderr}`);
      return stdout.trim();
    },
    async close(): Promise<void> {
      for (const { child, stop } of started) {
        if (child.exitCode === null && child.signalCode === null) await stop('SIGCONT', 'SIGKILL');
      }
      await devnet.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
