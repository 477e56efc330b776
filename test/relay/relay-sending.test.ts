import { randomUUID } from 'node:crypto';
import { type Address, getAddress, type Hex, parseEther } from 'viem';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { endOfTime } from '../../core/evm/entry-point/entry-point-abi.ts';
import { holdBatch } from '../../core/ledger/holds/hold-batch.ts';
import { ensureContractTotals } from '../../core/ledger/posting/pass-block.ts';
import type { ChainClient } from '../../core/node/chain-client.ts';
import { openRelay, sendDueRelays } from '../../core/runtime/open-relay.ts';
import type { Devnet } from '../../server/dev/devnet/devnet.ts';
import type { DevUserOperation } from '../../server/dev/user-operation/dev-user-operation.ts';
import { readUserOperationHash } from '../../server/dev/user-operation/entry-point.ts';
import { newSmartAccount } from '../support/chain/chain-lab.ts';
import { leaseDevnet } from '../support/chain/lease-devnet.ts';
import { checkContractLedger } from '../support/core/check-contract-ledger.ts';
import { holdRequest, insertPaymaster, numberedAddress, openLedger } from '../support/core/ledger-lab.ts';
import { silentLogger } from '../support/logging/recording-logger.ts';
import { freeOperation, newExecutor, sendBundle } from '../support/relay/relay-lab.ts';
import { type RpcServer, respond, startRpcServer } from '../support/servers/json-rpc-server.ts';

const version = '0.8';
const owner = { paymasterId: randomUUID(), accountId: randomUUID() };
/** What the bundler gets of an operation here. */
type Sent = { readonly hash: Hex };
const wallet = getAddress('0x00000000000000000000000000000000000000f1');

let devnet: Devnet;
let ledger: Awaited<ReturnType<typeof openLedger>>;
let relay: Address;
/** A bundler that says what a test wants it to. */
let bundler: RpcServer;
let answers: (sent: Sent) => object | 'hang up';
/** What it says of an operation by its hash. */
let status: (hash: unknown) => object | 'hang up';
/** Operations that it was given, in order. */
const given = () => bundler.requests.filter(({ method }) => method === 'boost_sendUserOperation');
/** Unix seconds. */
let now: number;
const clock = { now: () => now * 1_000 };

beforeEach(async () => {
  devnet = await leaseDevnet();
  ledger = await openLedger();
  status = () => statusOf('not_found');
  bundler = await startRpcServer(({ id, method, params }, response) => {
    const isAsking = method === 'pimlico_getUserOperationStatus';
    const answer = isAsking ? status(params[0]) : answers(params[0] as Sent);
    if (answer === 'hang up') response.destroy();
    else respond(response, { jsonrpc: '2.0', id, ...answer });
  });
  relay = getAddress(devnet.entryPoints[version]);
  now = 1_000;
  await ensureContractTotals(ledger.store, [{ chainId: devnet.chainId, address: relay }]);
  const zero = '0'.repeat(40);
  const funded = parseEther('10').toString().padStart(40, '0');
  await ledger.store.db
    .insertInto('tanks')
    .values({ chain_id: devnet.chainId, contract: relay, wallet, funded, settled: zero })
    .execute();
});
afterEach(async () => {
  await bundler.close();
  await ledger.close();
  await devnet.close();
});

const statusOf = (name: string) => ({ result: { status: name, transactionHash: null } });

async function fillOther(): Promise<void> {
  const contract = numberedAddress(0xc2);
  const [funded, zero] = ['1'.padEnd(20, '0').padStart(40, '0'), '0'.repeat(40)];
  await ensureContractTotals(ledger.store, [{ chainId: devnet.chainId, address: contract }]);
  await ledger.store.db
    .insertInto('tanks')
    .values({ chain_id: devnet.chainId, contract, wallet, funded, settled: zero })
    .execute();
}

/** One turn of the sender, as of a moment. */
async function turn(at: number): Promise<void> {
  now = at;
  const chain = openRelay(
    {
      chainId: devnet.chainId,
      entryPoints: devnet.entryPoints,
      relay: { kind: 'ALTO', url: bundler.url, executors: [wallet], entryPoint: version },
    } as never,
    { clock },
  );
  if (chain === undefined) throw new Error('There is a relay.');
  const client = devnet.client as unknown as ChainClient;
  await sendDueRelays({ ...chain, client, store: ledger.store, clock, logger: silentLogger });
}

async function accept(operation: DevUserOperation): Promise<Hex> {
  const userOperationHash = await readUserOperationHash(devnet, operation);
  const request = holdRequest({
    tank: { chainId: devnet.chainId, contract: relay, wallet },
    amount: parseEther('1'),
    sender: operation.sender,
    nonce: operation.nonce,
    ...owner,
    validUntil: endOfTime,
    relayed: { userOperationHash, operation: JSON.stringify({ hash: userOperationHash }) },
  });
  const [outcome] = await ledger.store.transaction((transaction) => holdBatch(transaction, [request], now));
  expect(outcome?.kind).toBe('held');
  return userOperationHash;
}

async function states(): Promise<readonly string[]> {
  const rows = await ledger.store.db
    .selectFrom('relayed_operations')
    .innerJoin('holds', 'holds.hold_id', 'relayed_operations.hold_id')
    .select(['relayed_operations.state as relayed', 'holds.state as hold'])
    .orderBy('holds.hold_id')
    .execute();
  return rows.map(({ relayed, hold }) => `${relayed}, ${hold}`);
}

/** Asks for a paymaster contract's signature for the same sender and nonce. */
async function askContract({ sender, nonce }: DevUserOperation, at: number) {
  const tank = { chainId: devnet.chainId, contract: numberedAddress(0xc2), wallet };
  const request = holdRequest({ tank, amount: 1n, sender, nonce, validUntil: at + 300, otherPayers: [relay] });
  const [outcome] = await ledger.store.transaction((transaction) => holdBatch(transaction, [request], at));
  return outcome?.kind === 'limited' ? outcome.refusal.reason : outcome?.kind;
}

describe('a paymaster contract, asked for the nonce of a relayed operation', () => {
  let operation: DevUserOperation;
  beforeEach(async () => {
    await fillOther();
    operation = await freeOperation(devnet, newSmartAccount(version));
  });

  test('takes over once the bundler has not confirmed the operation for 30 seconds, with both held', async () => {
    await accept(operation);
    expect(await askContract(operation, 1_029)).toBe('OPERATION_PENDING');
    expect(await askContract(operation, 1_030)).toBe('held');
    expect(await states()).toEqual(['waiting, live']);
  });

  test('waits for as long as the bundler has the operation', async () => {
    const hash = await accept(operation);
    answers = () => ({ result: hash });
    await turn(1_030);
    expect(await askContract(operation, 100_000)).toBe('OPERATION_PENDING');
  });
});

describe('an operation that was accepted for relaying', () => {
  let operation: DevUserOperation;
  let hash: Hex;
  beforeEach(async () => {
    operation = await freeOperation(devnet, newSmartAccount(version));
    hash = await accept(operation);
  });

  test('is handed over by the next process when the first one died before it could', async () => {
    answers = () => ({ result: hash });
    await turn(1_029);
    expect(given()).toEqual([]);
    await turn(1_030);
    expect(given()).toMatchObject([{ method: 'boost_sendUserOperation', params: [{ hash }, relay] }]);
    expect(await states()).toEqual(['taken, live']);
    await turn(1_089);
    expect(given().length).toBe(1);
    await turn(1_090);
    expect(given().length).toBe(2);
  });

  test('stays held while the bundler does not answer, and is sent again', async () => {
    answers = () => 'hang up';
    await turn(1_030);
    expect(await states()).toEqual(['waiting, live']);
    await turn(1_034);
    expect(given().length).toBe(1);
    answers = () => ({ result: hash });
    await turn(1_035);
    expect(await states()).toEqual(['taken, live']);
  });

  test('stays held while the bundler fails and does not say whether it has it, or names another hash', async () => {
    answers = () => ({ error: { code: -32603, message: 'out of memory' } });
    status = () => 'hang up';
    await turn(1_030);
    expect(await states()).toEqual(['waiting, live']);
    answers = () => ({ result: `0x${'ab'.repeat(32)}` });
    await turn(1_035);
    expect(await states()).toEqual(['waiting, live']);
  });

  test('is released when the bundler refuses it', async () => {
    answers = () => ({ error: { code: -32500, message: 'AA23 reverted' } });
    await turn(1_030);
    expect(await states()).toEqual(['ended, released']);
    answers = () => ({ result: hash });
    await turn(1_200);
    expect(given().length).toBe(1);
  });

  test.each(['Already known', 'AA25 … already present in mempool', 'is already being processed'])(
    'is released when the account reverts with “%s”, for the bundler does not have it',
    async (message) => {
      answers = () => ({
        error: { code: -32500, message: `UserOperation reverted with reason: AA23 reverted ${message}` },
      });
      await turn(1_030);
      expect(await states()).toEqual(['ended, released']);
    },
  );

  test.each(['not_submitted', 'submitted', 'included'])(
    'is not released when it is refused and the bundler has it by its hash: %s',
    async (name) => {
      answers = () => ({ error: { code: -32602, message: 'AA23 reverted' } });
      status = (asked) => statusOf(asked === hash ? name : 'not_found');
      await turn(1_030);
      expect(await states()).toEqual(['taken, live']);
    },
  );

  test.each([
    ['does not answer', () => 'hang up' as const],
    ['does not know the question', () => ({ error: { code: -32601, message: 'not_found' } })],
    ['answers something else', () => ({ result: { status: 'fine' } })],
    ['answers nothing', () => ({ result: null })],
  ])('stays held when it is refused and the bundler %s when asked for it by its hash', async (_, answer) => {
    answers = () => ({ error: { code: -32500, message: 'AA23 reverted' } });
    status = answer;
    await turn(1_030);
    expect(await states()).toEqual(['waiting, live']);
    status = () => statusOf('rejected');
    await turn(1_035);
    expect(await states()).toEqual(['ended, released']);
  });

  test('is not released when it is refused because it has landed', async () => {
    await sendBundle(devnet, await newExecutor(devnet), [operation]);
    answers = () => ({ error: { code: -32500, message: 'AA25 invalid account nonce' } });
    await turn(1_030);
    expect(await states()).toEqual(['waiting, live']);
  });

  test('is released when the bundler that took it has forgotten it, and refuses it', async () => {
    answers = () => ({ result: hash });
    await turn(1_030);
    answers = () => ({ error: { code: -32500, message: 'AA24 signature error' } });
    await turn(1_090);
    expect(await states()).toEqual(['ended, released']);
    const checked = await ledger.store.read((snapshot) =>
      checkContractLedger(snapshot, { chainId: devnet.chainId, contract: relay, keepsBalances: false }),
    );
    expect(checked.held).toBe(0n);
  });

  test('is reported as sent once, when the bundler takes it', async () => {
    await insertPaymaster(ledger.store, owner);
    const listener = { notification_id: randomUUID(), paymaster_id: owner.paymasterId, url: 'https://example.test' };
    const events = JSON.stringify(['operation.sent', 'operation.dropped']);
    const sealed = { active: 1, tank_is_low: 0, secret_sealed: new Uint8Array(1), created_at: 1 } as const;
    await ledger.store.db
      .insertInto('notifications')
      .values({ ...listener, ...sealed, events })
      .execute();
    answers = () => ({ result: hash });
    await turn(1_030);
    await turn(1_090);
    answers = () => ({ error: { code: -32500, message: 'AA24 signature error' } });
    await turn(1_150);
    const sent = await ledger.store.db.selectFrom('notification_deliveries').select(['type', 'payload']).execute();
    expect(sent.map(({ type }) => type)).toEqual(['operation.sent', 'operation.dropped']);
    expect(JSON.parse(sent[0]?.payload ?? '').data).toMatchObject({
      userOperationHash: hash,
      sender: operation.sender,
    });
  });

  test('stays held when the bundler cannot be reached by the next process: the first may have sent it', async () => {
    await bundler.close();
    await turn(1_030);
    expect(await states()).toEqual(['waiting, live']);
  });

  test('keeps its hold for another operation of the same nonce that is still with the bundler', async () => {
    const { sender, nonce } = operation;
    const other = await accept({ ...operation, callGasLimit: operation.callGasLimit + 1n, sender, nonce });
    expect(other).not.toBe(hash);
    answers = (sent) => (sent.hash === hash ? { error: { code: -32500, message: 'AA23' } } : { result: other });
    await turn(1_030);
    expect([...(await states())].sort()).toEqual(['ended, live', 'taken, live']);
  });
});
