import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Address, concat, type Hex, keccak256, parseAbi } from 'viem';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Core } from '../../core/domain/core.ts';
import { type LocalCore, startLocalCore } from '../../core/local.ts';
import { rawUserOperation } from '../../gateway/rpc/sponsorship-request.ts';
import { loadConfig } from '../../server/config/load-config.ts';
import type { DevPaymaster } from '../../server/dev/dev-file.ts';
import { followKnownCode } from '../../server/following-known-code.ts';
import { systemClock } from '../../server/system-clock.ts';
import { newOperation } from '../support/interface/rpc-calls.ts';
import { silentLogger } from '../support/logging/recording-logger.ts';
import { type RunningService, startService } from '../support/service/running-service.ts';
import { isOnPostgres } from '../support/store/test-database.ts';

/** Of a machine that is busy. */
const patience = { timeout: 60_000, interval: 100 };
const example = readFileSync(join(import.meta.dirname, '../../server/config/tollfree.example.json'), 'utf8');
const sender: Address = `0x${'0e'.repeat(20)}`;

describe.skipIf(!isOnPostgres)('two cores at one database that read one configuration file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tollfree-known-code-'));
  const file = join(folder, 'tollfree.json');
  let service: RunningService;
  let paymaster: DevPaymaster;
  let codeHash: Hex;
  let others: readonly { readonly local: LocalCore; readonly following: { close(): void } }[] = [];

  beforeAll(async () => {
    service = await startService();
    const { client, accountFactories } = service.devnet;
    const abi = parseAbi(['function accountImplementation() view returns (address)']);
    const address = await client.readContract({
      address: accountFactories['0.7'],
      abi,
      functionName: 'accountImplementation',
    });
    // A byte behind it that no one runs makes it other code.
    const bytecode = concat([(await client.getCode({ address })) ?? '0x', '0x00']);
    await client.setCode({ address: sender, bytecode });
    codeHash = keccak256(bytecode);
    write({});
    others = await Promise.all(
      ['second', 'third'].map(async (name) => {
        const local = await startLocalCore(service.config, { logger: silentLogger, clock: systemClock, name });
        const started = loadConfig({ config: file }, {});
        return { local, following: followKnownCode({ config: file }, started, { core: local, logger: silentLogger }) };
      }),
    );
    paymaster = await service.fundedPaymaster((await service.issueAccount()).authToken, '0.7');
  });
  afterAll(async () => {
    for (const { local, following } of others) {
      following.close();
      await local.close();
    }
    await service.close();
    rmSync(folder, { recursive: true });
  });

  function write(accounts: object): void {
    const config = JSON.parse(example) as { chains: object[] };
    const chains = config.chains.slice(0, 1).map((chain) => ({ ...chain, chainId: service.devnet.chainId, accounts }));
    writeFileSync(file, JSON.stringify({ ...config, chains }));
  }

  async function ask(core: Core): Promise<string> {
    const { factory: _, factoryData: __, ...operation } = await newOperation(service.devnet, '0.7');
    const answer = await core.sponsorUserOperation({
      apiKey: paymaster.apiKey,
      chainId: service.devnet.chainId,
      userOperation: rawUserOperation({ ...operation, sender, nonce: '0x0' }),
      context: {
        mode: 'SPONSORED',
        calculateGasLimits: false,
        sponsorshipInfoGiven: true,
        smartAccountInfo: { name: 'INFINITISM', version: '1.0.0' },
      },
    });
    return answer.ok ? 'signed' : `${answer.refusal.reason}: ${answer.refusal.message}`;
  }

  test('both sign for added code and refuse it once it is removed; one that does not read the file refuses', async () => {
    const both = others.map(({ local }) => local.core);
    for (const core of both)
      await vi.waitFor(async () => expect(await ask(core)).toMatch(/^ACCOUNT_NOT_KNOWN/), patience);
    write({ implementations: [{ name: 'INFINITISM', version: '1.0.0', codeHash }] });
    for (const core of both) await vi.waitFor(async () => expect(await ask(core)).toBe('signed'), patience);
    expect(await ask(service.core)).toMatch(/^ACCOUNT_NOT_KNOWN/);
    write({});
    for (const core of both)
      await vi.waitFor(async () => expect(await ask(core)).toMatch(/^ACCOUNT_NOT_KNOWN/), patience);
  });
});
