import { type Address, encodeFunctionData, getAddress, type Hex, numberToHex, pad, parseEther } from 'viem';
import { afterEach, expect, test } from 'vitest';
import { entryPoint07Abi } from '../../core/evm/entry-point/entry-point-abi.ts';
import type { DevUserOperation } from '../../server/dev/user-operation/dev-user-operation.ts';
import {
  depositOf,
  newSmartAccount,
  nextOperation,
  plainLimits,
  type SmartAccount,
  targetCall,
} from '../support/chain/chain-lab.ts';
import { land } from '../support/chain/chain-landing.ts';
import { mineConfirmations } from '../support/chain/mine-confirmations.ts';
import {
  forward,
  type RpcRequest,
  type RpcServer,
  respond,
  respondError,
  startRpcServer,
} from '../support/servers/json-rpc-server.ts';
import { sponsor, withAnswer } from '../support/service/chain-sponsorship.ts';
import { fundedTank, type ProductionTank } from '../support/service/production-tank.ts';
import { useProductionService } from '../support/service/use-production-service.ts';

/** Its signatures never end. */
const lasting = 'biconomy-sponsorship-1.0.0';
/** How long the ledger of a busy machine may take to follow. */
const patience = { timeout: 30_000, interval: 100 };

/** What a node says instead of what the chain has: undefined for the truth. */
type Lie = (request: RpcRequest) => unknown;
type Node = { lie: Lie; server: RpcServer };
const nodes: Node[] = [];

const service = useProductionService({
  ownNode: true,
  settings: async ({ rpcUrl }) => {
    for (const _ of ['first', 'second']) nodes.push(await startNode(rpcUrl));
    return { chain: { nodeUrls: nodes.map(({ server }) => server.url) } };
  },
});
afterEach(async () => {
  for (const node of nodes) node.lie = () => undefined;
  await service().setRight();
});

async function startNode(rpcUrl: string): Promise<Node> {
  const server = await startRpcServer(async (request, response) => {
    const lie = node.lie(request);
    if (lie === down) respondError(response, request, -32_603, 'out of service');
    else if (lie === undefined) respond(response, await forward(rpcUrl, request));
    else respond(response, { jsonrpc: '2.0', id: request.id, result: lie });
  });
  const node: Node = { lie: () => undefined, server };
  return node;
}
const down = Symbol('does not respond');

type Signed = {
  readonly tank: ProductionTank;
  readonly account: SmartAccount;
  readonly operation: DevUserOperation;
  readonly holdId: string;
};

/** A signature that no one has sent yet, of an account that is on chain. */
async function signedFor(family: string): Promise<Signed> {
  const { devnet } = service();
  const tank = await fundedTank(service(), { family, amount: parseEther('1') });
  const account = newSmartAccount(tank.version);
  const first = await nextOperation(devnet, account, []);
  await devnet.client.setBalance({ address: first.sender, value: parseEther('1') });
  await land(devnet, account, { ...first, ...plainLimits('undeployed') });
  const drafted = await nextOperation(devnet, account, [targetCall(devnet, 'increment')]);
  const operation = withAnswer(drafted, await sponsor(tank.rpcUrl, drafted));
  return { tank, account, operation, holdId: await holdOf(operation.sender) };
}

/** The number of the sender's one open hold, as the operator is shown it. */
async function holdOf(sender: Address): Promise<string> {
  const { operate, devnet } = service();
  const table = await operate('ledger', 'holds', '--chain', String(devnet.chainId), '--sender', sender);
  const [, row, ...others] = table.split('\n');
  expect(others).toEqual([]);
  return row?.split(' ')[0] ?? '';
}

function release(holdId: string, reason = 'never to be sent'): Promise<string> {
  const { operate, devnet } = service();
  return operate('ledger', 'release', '--chain', String(devnet.chainId), '--hold', holdId, '--reason', reason);
}

/** The account uses the signed operation's nonce at its own cost. */
async function useNonce({ account, operation }: Signed): Promise<void> {
  const bare = { ...operation, paymasterAndData: '0x' as const, ...plainLimits('deployed') };
  await land(service().devnet, account, bare);
}

async function heldOf({ tank: { management, apiKey } }: Signed): Promise<bigint> {
  return BigInt((await management.readGasTank({ apiKey })).held);
}

/** The operator's check passes, and what it has of the contract is the chain's to the wei. */
async function expectExactLedger({ tank }: Signed): Promise<void> {
  const report = await service().operate('ledger', 'check');
  const [, part] = report.split(`contract ${getAddress(tank.contract)}, `);
  const deposit = /deposit in ledger\s+\S+ ether \((\d+) wei\)/.exec(part ?? '')?.[1];
  expect(deposit).toBe(String(await depositOf(service().devnet, tank.version, tank.contract)));
}

async function expectSettled(signed: Signed): Promise<void> {
  const { devnet } = service();
  const { success } = await land(devnet, signed.account, signed.operation);
  expect(success).toBe(true);
  await mineConfirmations(devnet);
  const { management, apiKey } = signed.tank;
  const tank = () => management.readGasTank({ apiKey });
  await expect.poll(async () => BigInt((await tank()).settled), patience).toBeGreaterThan(0n);
  expect(await heldOf(signed)).toBe(0n);
  await expectExactLedger(signed);
}

/** A nonce that is far past the one of the operation, for anyone who asks about its sender. */
function tooHigh({ operation: { sender, nonce } }: Signed): Lie {
  const question = encodeFunctionData({ abi: entryPoint07Abi, functionName: 'getNonce', args: [sender, nonce >> 64n] });
  return ({ method, params }) =>
    asksFor(question, { method, params }) ? pad(numberToHex(nonce + 1_000n), { size: 32 }) : undefined;
}

function asksFor(data: Hex, { method, params }: Pick<RpcRequest, 'method' | 'params'>): boolean {
  const [call] = (params ?? []) as readonly { readonly data?: Hex; readonly input?: Hex }[];
  return method === 'eth_call' && (call?.data ?? call?.input) === data;
}

test.each([lasting, '0.7'])('an operation of %s that can still land keeps its hold, and lands', async (family) => {
  const signed = await signedFor(family);
  await expect(release(signed.holdId)).rejects.toThrow(
    family === lasting
      ? /still could\. .* Its signatures never expire/
      : /released automatically once the chain's confirmed time/,
  );
  await expectSettled(signed);
  await expect(release(signed.holdId)).rejects.toThrow('its operation has landed already');
});

test('a hold whose nonce was used for something else is released once that is confirmed', async () => {
  const signed = await signedFor(lasting);
  await useNonce(signed);
  await expect(release(signed.holdId)).rejects.toThrow(/still could.* that every node reports/);
  await mineConfirmations(service().devnet);
  expect(await release(signed.holdId)).toMatch(
    /^Released 0\.\d+ ether held for nonce \d+ of 0x\w{40}: the account had used/,
  );

  expect(await heldOf(signed)).toBe(0n);
  const { apiKey } = signed.tank;
  const { entries } = await signed.tank.management.listGasTankEntries({ apiKey });
  expect(entries[0]).toMatchObject({
    kind: 'release',
    reason: expect.stringMatching(
      /^by the operator: never to be sent \(the account had used the nonce .* at block \d+\)$/,
    ),
  });
  await expectExactLedger(signed);
  await expect(release(signed.holdId)).rejects.toThrow('it was released already');
  await expect(land(service().devnet, signed.account, signed.operation)).rejects.toThrow();
});

test('a node that tells a nonce too high frees nothing, neither by the operator’s word nor by itself', async () => {
  const signed = await signedFor(lasting);
  const [liar, honest] = nodes;
  if (liar === undefined || honest === undefined) throw new Error('There are no two nodes.');
  liar.lie = tooHigh(signed);
  await expect(release(signed.holdId)).rejects.toThrow('still could');

  const reported = () => honest.server.requests.filter((request) => tooHigh(signed)(request) !== undefined).length;
  const before = reported();
  let ahead = 0;
  const sweeps = () => {
    // Holds younger than a minute are not asked about, nor are all of them more often.
    ahead += 61_000;
    service().setAhead(ahead);
    return reported();
  };
  await expect.poll(sweeps, { timeout: 30_000, interval: 500 }).toBeGreaterThan(before + 1);
  expect(await heldOf(signed)).toBeGreaterThan(0n);
  liar.lie = () => undefined;
  service().setAhead(0);
  await expectSettled(signed);
});

test('nothing is released while one of the nodes is away, or while the ledger differs from the chain', async () => {
  const signed = await signedFor(lasting);
  const [one, other] = nodes;
  if (one === undefined || other === undefined) throw new Error('There are no two nodes.');
  await useNonce(signed);
  await mineConfirmations(service().devnet);
  other.lie = () => down;
  await expect(release(signed.holdId)).rejects.toThrow('node 2 of the chain did not answer');
  const balance = encodeFunctionData({ abi: entryPoint07Abi, functionName: 'balanceOf', args: [signed.tank.contract] });
  other.lie = (request) => (asksFor(balance, request) ? pad('0x07', { size: 32 }) : undefined);
  await expect(release(signed.holdId)).rejects.toThrow(/node 2 .* deposit at block \d+ that differs from the ledger/);
  expect(await heldOf(signed)).toBeGreaterThan(0n);
  other.lie = () => undefined;
  await release(signed.holdId);
  await expectExactLedger(signed);
});

test.each([
  [['--chain', '99', '--hold', '1', '--reason', 'x'], 'must be a chain of the configuration'],
  [['--chain', 'CHAIN', '--hold', '999999', '--reason', 'x'], 'must be of a hold of the chain'],
  [['--chain', 'CHAIN', '--hold', '1', '--reason', ' '], 'reason must be 1 to 200 printable characters'],
  [['--chain', 'CHAIN', '--hold', '-1', '--reason', 'x'], 'must be a whole number'],
])('tollfree ledger release %j is refused', async (flags, said) => {
  const { operate, devnet } = service();
  const given = flags.map((flag) => (flag === 'CHAIN' ? String(devnet.chainId) : flag));
  await expect(operate('ledger', 'release', ...given)).rejects.toThrow(said);
});

// The last one: the contract of the family takes another key from then on.
test('a hold is released when the contract no longer accepts the key that has signed, which then fails on chain', async () => {
  const { devnet } = service();
  const signed = await signedFor(lasting);
  await expect(release(signed.holdId)).rejects.toThrow(/contract no longer accepts 0x\w{40}/);
  await acceptAnotherKey(signed.tank.contract);
  await expect(release(signed.holdId)).rejects.toThrow('still could');
  await mineConfirmations(devnet);
  expect(await release(signed.holdId, 'key replaced')).toContain('the contract accepted none of the keys');
  await expect(land(devnet, signed.account, signed.operation)).rejects.toThrow();
  expect(await heldOf(signed)).toBe(0n);
  await expectExactLedger(signed);
});

/** What the owner of a real contract does with `setSigner`: the test's has its key in its code. */
async function acceptAnotherKey(contract: Address): Promise<void> {
  const { client } = service().devnet;
  const signer = await client.readContract({
    address: contract,
    abi: [
      {
        type: 'function',
        name: 'verifyingSigner',
        inputs: [],
        outputs: [{ type: 'address' }],
        stateMutability: 'view',
      },
    ],
    functionName: 'verifyingSigner',
  });
  const code = (await client.getCode({ address: contract })) ?? '0x';
  const other = '0x2222222222222222222222222222222222222222';
  const bytecode = code.replaceAll((signer as Address).slice(2).toLowerCase(), other.slice(2)) as Hex;
  expect(bytecode).not.toBe(code);
  await client.setCode({ address: contract, bytecode });
  await client.mine({ blocks: 1 });
}
