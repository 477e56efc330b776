import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encodeFunctionData, type Hex, parseAbi, parseEther, slice } from 'viem';
import { type LocalAccount, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createManagementClient, type ManagementClient } from '../../clients/sdk/create-management-client.ts';
import { type GrpcServer, startGrpcServer } from '../../core/grpc/server.ts';
import { accepted } from '../../server/accepted.ts';
import { devPaymasterVersions } from '../../server/dev/dev-core-config.ts';
import { devnetFamilies } from '../../server/dev/devnet/devnet.ts';
import { sendInOrder } from '../../server/dev/devnet/devnet-client.ts';
import {
  depositOf,
  fillTank,
  newSmartAccount,
  nextOperation,
  plainLimits,
  targetCall,
  walletWith,
} from '../support/chain/chain-lab.ts';
import { land } from '../support/chain/chain-landing.ts';
import { runInPlace } from '../support/command-line/run-in-place.ts';
import { silentLogger } from '../support/logging/recording-logger.ts';
import { rowsOfRun } from '../support/run/rows-of-run.ts';
import { makeSocketAddress } from '../support/servers/make-socket-path.ts';
import { looseGivenLimitsCheck } from '../support/service/any-clock.ts';
import { prefundOf, sponsor, withAnswer } from '../support/service/chain-sponsorship.ts';
import { type RunningService, startService } from '../support/service/running-service.ts';

const version = '0.7';
const funded = parseEther('5');
const ofNoOne = parseEther('2');
const ofStranger = parseEther('1');
const withdrawn = parseEther('0.5');
/** How long the ledger may need to follow the chain on a busy machine. */
const patience = { timeout: 15_000 };
const wholeAbi = parseAbi([
  'function depositTo(address account) payable',
  'function withdrawTo(address to, uint256 amount)',
]);

describe.each(rowsOfRun(['grpc', 'local'] as const, 1))('the ledger in REST and command line, core %s', (handle) => {
  let service: RunningService;
  let grpc: GrpcServer;
  let folder: string;
  let tokenFile: string;
  let client: ManagementClient;
  let owned: { accountId: string; paymasterId: string };
  let wallet: LocalAccount;
  let settled = 0n;
  let held = 0n;
  let strayHash: Hex;

  const contract = () => service.devnet.paymasterContracts[devnetFamilies[version]];
  const core = () => ['--core', grpc.address];
  /** The block before the first one that is read. */
  const firstPossible = () => Number(service.config.chains[0]?.startBlock) - 1;
  const reportOf = async () => {
    const reports = accepted(await service.core.checkLedger({ allRows: false }));
    const report = reports.find((candidate) => candidate.contract === contract());
    if (report === undefined) throw new Error('The contract has no ledger.');
    return report;
  };

  beforeAll(async () => {
    service = await startService({ handle, configure: looseGivenLimitsCheck });
    grpc = await startGrpcServer({
      core: service.core,
      address: makeSocketAddress(),
      reflection: false,
      logger: silentLogger,
    });
    folder = mkdtempSync(join(tmpdir(), 'tollfree-ledger-'));
    const { devnet } = service;
    const { accountId, authToken } = await service.issueAccount();
    tokenFile = join(folder, 'auth-token');
    writeFileSync(tokenFile, authToken);
    const account = createManagementClient({ baseUrl: service.url, authToken });
    const { apiKey, paymasterId } = await account.createPaymaster({
      name: 'shop',
      chainId: devnet.chainId,
      version: devPaymasterVersions[version],
    });
    owned = { accountId, paymasterId };
    client = createManagementClient({ baseUrl: service.url, authToken, apiKey });
    await client.registerSmartContract({
      name: 'target',
      address: devnet.target.address,
      abi: JSON.stringify(devnet.target.abi),
      whitelistedMethods: ['increment'],
    });
  });
  afterAll(async () => {
    await grpc.close();
    await service.close();
    rmSync(folder, { recursive: true, force: true });
  });

  test('a paymaster without a funding wallet has an empty tank, and nothing can be credited to it', async () => {
    const tank = await client.readGasTank();
    expect(tank).toMatchObject({ contract: contract(), funded: '0', settled: '0', held: '0', available: '0' });
    expect(tank).not.toHaveProperty('fundingWallet');
    expect(await client.listGasTankEntries()).toEqual({ entries: [] });
    const input = { paymasterId: owned.paymasterId, kind: 'credit', amount: 1n, reason: 'gift' } as const;
    expect(await service.core.adjustTank(input)).toMatchObject({ refusal: { reason: 'INVALID_FIELD' } });
  });

  test('every wei on chain is in the ledger, and the report names where it went', async () => {
    const { devnet } = service;
    wallet = await walletWith(devnet, 0n);
    const { fundingMessage } = await client.createFundingMessage({ paymasterId: owned.paymasterId });
    const signature = await wallet.signMessage({ message: fundingMessage });
    await client.setFundingWallet({ paymasterId: owned.paymasterId, signature, address: wallet.address });
    await fillTank(devnet, version, wallet, funded);

    const rpcUrl = service.rpcUrl(await apiKeyOf(client));
    const asGiven = { calculateGasLimits: false };
    const [landing, unsent] = [newSmartAccount(version), newSmartAccount(version)];
    const increment = [targetCall(devnet, 'increment')];
    const first = { ...(await nextOperation(devnet, landing, increment)), ...plainLimits('undeployed') };
    const { actualGasCost } = await land(devnet, landing, withAnswer(first, await sponsor(rpcUrl, first, asGiven)));
    settled = actualGasCost;
    const second = { ...(await nextOperation(devnet, unsent, increment)), ...plainLimits('undeployed') };
    held = prefundOf(second, await sponsor(rpcUrl, second, asGiven));

    // A stranger's own deposit has a tank of the stranger; one that comes out of a contract has none.
    const stranger = await walletWith(devnet, 0n);
    await fillTank(devnet, version, stranger, ofStranger);
    strayHash = await depositOutOfAccount(service, ofNoOne);
    await withdrawAsOwner(service, withdrawn);

    await vi.waitFor(async () => {
      const report = await reportOf();
      expect(report).toMatchObject({
        difference: 0n,
        faults: [],
        chainDeposit: funded + ofStranger + ofNoOne - withdrawn - settled,
        bookDeposit: await depositOf(devnet, version, contract()),
        funded: funded + ofStranger,
        settled,
        held,
        unattributedDeposits: ofNoOne,
        strayDeposits: [{ txHash: strayHash, amount: ofNoOne, sender: expect.stringMatching(/^0x/) }],
        strayDepositCount: 1,
        idleTanks: [{ wallet: stranger.address, left: ofStranger }],
        idleTankCount: 1,
        withdrawals: withdrawn,
        unexplainedCosts: 0n,
      });
    }, patience);
  });

  test('the HTTP interface shows the same tank, and entries that add up to it', async () => {
    const tank = await client.readGasTank();
    expect(tank).toMatchObject({
      chainId: service.devnet.chainId,
      fundingWallet: wallet.address,
      funded: String(funded),
      settled: String(settled),
      held: String(held),
      available: String(funded - settled - held),
    });
    const entries = await allEntries(client);
    const sum = (...kinds: readonly string[]) =>
      entries.filter(({ kind }) => kinds.includes(kind)).reduce((total, { amount }) => total + BigInt(amount), 0n);
    expect(sum('deposit')).toBe(funded);
    expect(sum('settle')).toBe(settled);
    const ids = entries.map(({ entryId }) => entryId);
    expect(ids).toEqual([...new Set(ids)].sort((a, b) => b - a));
    expect(entries.find(({ kind }) => kind === 'settle')?.txHash).toMatch(/^0x[0-9a-f]{64}$/);
    const [statement] = (await client.readGasTankStatement()).tanks;
    // The coin costs 2,000 USD here; each worth is rounded up to a millionth.
    const usd = (micros: bigint) => `${micros / 1_000_000n}.${(micros % 1_000_000n).toString().padStart(6, '0')}`;
    expect(statement).toMatchObject({
      opening: '0',
      deposited: { wei: String(funded), unpriced: 0 },
      spent: { wei: String(settled), unpriced: 0 },
      premium: { wei: '0' },
      closing: String(funded - settled),
      operations: 1,
      atBlock: expect.any(Number),
      elsewhere: { wei: '0', operations: 0 },
    });
    expect(Number(statement?.spent.usd)).toBe(Number(usd((settled * 2_000_000_000n + 10n ** 18n - 1n) / 10n ** 18n)));
    const days = await client.listGasTankDays();
    expect([days.length, days.at(-1)?.balance, days.at(-1)?.spent]).toEqual([
      30,
      String(funded - settled),
      String(settled),
    ]);
  });

  test('the tank names the call that fills it, and a deposit that its wallet made by way of an account', async () => {
    const { devnet } = service;
    const { filling } = await client.readGasTank();
    expect(filling).toMatchObject({
      to: devnet.entryPoints[version],
      call: `depositTo(${contract()})`,
      from: 'funding-wallet',
    });
    const throughAccount = parseEther('0.25');
    const account = { ...newSmartAccount(version), owner: wallet };
    const { sender, initCode } = await nextOperation(devnet, account, []);
    const creation = { to: slice(initCode, 0, 20), data: slice(initCode, 20), gas: 1_000_000n };
    await sendInOrder(devnet.client, wallet, [{ description: 'an account', ...creation }]);
    await devnet.client.setBalance({ address: sender, value: throughAccount });
    const data = encodeFunctionData({
      abi: parseAbi(['function execute(address to, uint256 value, bytes data)']),
      args: [devnet.entryPoints[version], throughAccount, depositData(service)],
    });
    await sendInOrder(devnet.client, wallet, [{ description: 'a deposit', to: sender, data, gas: 200_000n }]);
    const expected = { amount: String(throughAccount), recovery: expect.stringContaining('Ask the operator') };
    await vi.waitFor(
      async () => expect((await client.readGasTank()).strayDeposits).toMatchObject([expected]),
      patience,
    );
  });

  test('another account gets the answer of a paymaster that does not exist', async () => {
    const stranger = await service.issueAccount();
    const theirs = { accountId: stranger.accountId, paymasterId: owned.paymasterId };
    const nobodys = { accountId: stranger.accountId, paymasterId: '00000000-0000-4000-8000-000000000000' };
    const refused = { ok: false, refusal: { reason: 'PAYMASTER_NOT_FOUND', message: 'Paymaster not found' } };
    for (const input of [theirs, nobodys]) {
      expect(await service.core.readGasTank(input)).toEqual(refused);
      expect(await service.core.listGasTankEntries(input)).toEqual(refused);
      expect(await service.core.listGasTankDays(input)).toEqual(refused);
      expect(await service.core.readGasTankStatement(input)).toEqual(refused);
    }
    const { accountId } = stranger;
    expect(await service.core.readAccountStatement({ accountId })).toMatchObject({
      ok: true,
      value: { statements: [] },
    });
    expect(await service.core.readAccountStatement({ accountId, cursor: 'x' })).toMatchObject({
      ok: false,
      refusal: { reason: 'INVALID_FIELD', field: 'cursor' },
    });
    const { month: _, ...stated } = await client.readGasTankStatement();
    const all = await client.readAccountStatement();
    expect(all.statements).toContainEqual({ paymasterId: owned.paymasterId, ...stated });
    const apiKey = await apiKeyOf(client);
    for (const path of ['/gas-tank', '/gas-tank/entries']) {
      const ask = async (headers: Record<string, string>) => {
        const response = await fetch(`${service.url}/api/v2/public/sdk${path}`, { headers });
        return [response.status, await response.json()];
      };
      const message = 'Auth token and API key is required in the headers';
      const unauthorised = [401, { statusCode: 401, message }];
      expect(await ask({ authToken: stranger.authToken, apiKey })).toEqual(unauthorised);
      expect(await ask({ authToken: stranger.authToken, apiKey: 'unknown' })).toEqual(unauthorised);
      expect(await ask({ authToken: 'tf_wrong', apiKey })).toEqual(unauthorised);
      expect(await ask({ apiKey })).toEqual(unauthorised);
    }
  });

  test('the metrics have the difference and what is held', async () => {
    const text = await (await fetch(`${service.adminUrl}/metrics`)).text();
    const labels = `{chain="${service.devnet.chainId}",contract="${contract()}"}`;
    expect(text).toContain(`tollfree_ledger_difference_wei${labels} 0\n`);
    const [, sample] = text.split(`tollfree_gas_tank_held_wei${labels} `);
    expect(Number(sample?.split('\n')[0])).toBe(Number(held));
  });

  test('the operator checks, credits and debits with the program', async () => {
    const check = await runInPlace(['ledger', 'check', ...core()]);
    expect(check).toMatchObject({ code: 0, stderr: '' });
    expect(check.stdout).toContain(`contract ${contract()}`);
    expect(check.stdout).toContain(`(${withdrawn} wei)`);
    expect(check.stdout).toContain(`unassigned tank         1 ether (${ofStranger} wei) of 0x`);
    expect(check.stdout).toContain(`tank credit "${ofNoOne} wei" --paymaster <name|id> --for ${strayHash}`);

    const { paymasterId } = owned;
    const adjust = (kind: string, amount: string, reason = 'goodwill') =>
      runInPlace(['tank', kind, amount, '--paymaster', paymasterId, '--reason', reason, ...core()]);
    expect(await adjust('credit', '0.05 ether')).toMatchObject({ code: 0 });
    expect(await adjust('debit', '0.02 ether')).toMatchObject({ code: 0 });
    const tooMuch = await adjust('debit', '100 ether');
    expect(tooMuch).toMatchObject({ code: 1, stdout: '' });
    expect(tooMuch.stderr).toContain('available balance is lower');
    expect((await adjust('credit', '5')).stderr).toContain('must have its unit');
    expect(await adjust('credit', '5 wei', ' ')).toMatchObject({ code: 1 });
    expect(await client.readGasTank()).toMatchObject({ funded: String(funded + parseEther('0.03')) });

    const location = ['--url', service.url, '--auth-token-file', tokenFile, '--api-key', await apiKeyOf(client)];
    const shown = await runInPlace(['tank', ...location]);
    expect(shown).toMatchObject({ code: 0 });
    expect(shown.stdout).toContain('5.03 ether');
    const listed = await runInPlace(['tank', 'entries', ...location]);
    expect(listed.stdout.split('\n').filter((line) => line.endsWith('goodwill'))).toHaveLength(2);
    const stated = await runInPlace(['tank', 'statement', ...location]);
    expect(stated.stdout).toMatch(
      /opening +0 ether\ndeposited +5 ether \(10000\.00 USD\)\nwithdrawn +0 ether\ncredited +0\.05 ether/,
    );
    expect(shown.stdout).toContain(`depositTo(${contract()}) of ${service.devnet.entryPoints[version]}`);
    expect(shown.stdout).toContain('0.25 ether of transaction 0x');
    expect(await reportOf()).toMatchObject({ difference: 0n, faults: [] });
  });

  test('a deposit of no tank that the operator credits is listed no longer, and is credited once', async () => {
    const { paymasterId } = owned;
    const credit = (hash: string) =>
      runInPlace([
        'tank',
        'credit',
        '2 ether',
        '--paymaster',
        paymasterId,
        '--reason',
        'theirs',
        '--for',
        hash,
        ...core(),
      ]);
    const before = BigInt((await client.readGasTank()).funded);
    expect(await credit(strayHash)).toMatchObject({ code: 0 });
    expect(BigInt((await client.readGasTank()).funded) - before).toBe(ofNoOne);
    const report = await reportOf();
    expect(report).toMatchObject({ difference: 0n, faults: [], strayDepositCount: 1 });
    expect(report.strayDeposits.map(({ txHash }) => txHash)).not.toContain(strayHash);
    expect((await credit(strayHash)).stderr).toContain('is not a deposit');
    expect((await credit('0x12')).stderr).toContain('64 hex digits');
    const entries = await client.listGasTankEntries({ limit: 1 });
    expect(entries.entries).toMatchObject([{ kind: 'credit', reason: 'theirs', txHash: strayHash }]);
  });

  test('a ledger that the operator rolls back is read again, and says what it said before', async () => {
    const before = [await client.readGasTank(), await reportOf()];
    const revert = (chain: string, block: string) =>
      runInPlace(['ledger', 'revert', '--chain', chain, '--block', block, ...core()]);
    const block = Number(await service.devnet.client.getBlockNumber()) - 5;
    for (const to of [block, firstPossible()]) {
      const done = await revert(String(service.devnet.chainId), String(to));
      expect(done).toMatchObject({ code: 0, stderr: '' });
      expect(done.stdout).toMatch(new RegExp(`${contract()}: from block \\d+ back to \\d+, [1-9]`));
      await vi.waitFor(async () => expect([await client.readGasTank(), await reportOf()]).toEqual(before), patience);
    }
    const page = await client.listGasTankEntries({ limit: 100 });
    expect(page.entries.filter(({ reverses }) => reverses !== undefined).length).toBeGreaterThan(0);
    expect((await revert('99', '0')).stderr).toContain('must be a chain of the configuration');
    expect((await revert('1', 'x')).stderr).toContain('--block must be a whole number');
    expect((await revert('1', '-1')).stderr).toContain('--block must be a whole number');
  });

  test('refuses a rollback to a block that does not exist or that the ledger does not have', async () => {
    const head = await service.devnet.client.getBlockNumber();
    const before = [await client.readGasTank(), await reportOf(), await client.listGasTankEntries({ limit: 100 })];
    const { chainId } = service.devnet;
    for (const block of [head + 1n, 2n ** 53n, 2n ** 64n - 1n, BigInt(firstPossible()) - 1n]) {
      const answer = await service.core.revertLedger({ chainId, block });
      expect(answer).toMatchObject({ ok: false, refusal: { reason: 'INVALID_FIELD', field: 'block' } });
    }
    // A number that the protocol cannot carry does not leave a client.
    const negative = service.core.revertLedger({ chainId, block: -1n });
    if (handle === 'local') expect(await negative).toMatchObject({ refusal: { reason: 'INVALID_FIELD' } });
    else await expect(negative).rejects.toThrow();
    expect([await client.readGasTank(), await reportOf(), await client.listGasTankEntries({ limit: 100 })]).toEqual(
      before,
    );
  });

  test.each([
    [{ paymasterId: 'unknown' }, 'PAYMASTER_NOT_FOUND'],
    [{ amount: 0n }, 'INVALID_FIELD'],
    [{ amount: 10n ** 27n + 1n }, 'INVALID_FIELD'],
    [{ reason: '' }, 'INVALID_FIELD'],
    [{ reason: 'two\nlines' }, 'INVALID_FIELD'],
    [{ reason: 'r'.repeat(201) }, 'INVALID_FIELD'],
    [{ kind: 'debit', amount: 10n ** 27n }, 'INSUFFICIENT_FUNDS'],
  ] as const)('an adjustment with %o is refused and changes nothing', async (wrong, reason) => {
    const before = accepted(await service.core.readGasTank(owned));
    const right = { paymasterId: owned.paymasterId, kind: 'credit', amount: 1n, reason: 'gift' } as const;
    const answer = await service.core.adjustTank({ ...right, ...wrong });
    expect(answer).toMatchObject({ ok: false, refusal: { reason } });
    expect(accepted(await service.core.readGasTank(owned))).toEqual(before);
  });
});

async function apiKeyOf(client: ManagementClient): Promise<string> {
  const [paymaster] = await client.listPaymasters();
  if (paymaster === undefined) throw new Error('The account has no paymaster.');
  return paymaster.apiKey;
}

async function allEntries(client: ManagementClient) {
  const pages = [await client.listGasTankEntries({ limit: 1 })];
  for (let cursor = pages[0]?.nextCursor; cursor !== undefined; cursor = pages.at(-1)?.nextCursor) {
    pages.push(await client.listGasTankEntries({ cursor, limit: 1 }));
  }
  expect(pages.length).toBeGreaterThan(1);
  return pages.flatMap(({ entries }) => entries);
}

function depositData({ devnet }: RunningService): Hex {
  const args = [devnet.paymasterContracts[devnetFamilies[version]]] as const;
  return encodeFunctionData({ abi: wholeAbi, functionName: 'depositTo', args });
}

/** A deposit for the paymaster contract out of a new smart account that pays for itself: its transaction. */
async function depositOutOfAccount(service: RunningService, amount: bigint): Promise<Hex> {
  const { devnet } = service;
  const account = newSmartAccount(version);
  const call = { to: devnet.entryPoints[version], value: amount, data: depositData(service) };
  const operation = { ...(await nextOperation(devnet, account, [call])), ...plainLimits('undeployed') };
  await devnet.client.setBalance({ address: operation.sender, value: amount + parseEther('1') });
  const { success, transactionHash } = await land(devnet, account, operation);
  expect(success).toBe(true);
  return transactionHash;
}

async function withdrawAsOwner({ devnet, config }: RunningService, amount: bigint): Promise<void> {
  const signer = config.chains[0]?.signer;
  if (signer?.kind !== 'raw') throw new Error('The development chain has a raw key.');
  const owner = privateKeyToAccount(signer.privateKey.reveal());
  await devnet.client.setBalance({ address: owner.address, value: parseEther('1') });
  const data = encodeFunctionData({ abi: wholeAbi, functionName: 'withdrawTo', args: [owner.address, amount] });
  const to = devnet.paymasterContracts[devnetFamilies[version]];
  await sendInOrder(devnet.client, owner, [{ description: 'a withdrawal', to, data, gas: 200_000n }]);
}
