import { maxValidatedPolicies } from '@tollfree/contract/limits';
import {
  concat,
  encodeAbiParameters,
  encodeFunctionData,
  type Hex,
  numberToHex,
  parseAbi,
  toFunctionSelector,
} from 'viem';
import { createManagementClient } from '../../clients/sdk/create-management-client.ts';
import { contractsOf, largestSetUp, policyOf, setUpAddress } from '../support/interface/largest-set-up.ts';
import { type BenchProcess, startBenchProcess, startBenchService } from './bench-process.ts';
import type { BenchTarget, WatchedService } from './bench-target.ts';
import { nextNonceKey } from './request-kinds.ts';

const smartAccountInfo = { name: 'INFINITISM', version: '1.0.0' };
const batchAbi = parseAbi(['function executeBatch(address[] dest, uint256[] value, bytes[] func)']);
const innerCalls = 100;
/** Calls of 8 KiB: with the short ones they are most of what the body of a request may have. */
const wideCalls = 5;

/** The largest set-up of one tenant: what each kind of request takes of the service, and how long `/livez` waits meanwhile. */
export async function measureSetUp(print: (line: string) => void): Promise<void> {
  const service = await startBenchService(['--turns'], { execArgv: ['--expose-gc'] });
  const { account, adminUrl } = service.target;
  if (account === undefined || adminUrl === undefined) throw new Error('The service does not say how it is managed.');
  const meter = await startBenchProcess<string>('livez-meter.ts', [adminUrl]);
  const { apiKey } = account;
  const management = createManagementClient({ baseUrl: account.url, authToken: account.authToken });
  const measure = async (name: string, work: () => Promise<unknown>) => {
    await Promise.all([service.ask('watch'), meter.ask('')]);
    await work();
    const [watched, waited] = await Promise.all([service.ask('watch'), meter.ask('')]);
    const { longestTurnMs, heapUsed } = watched as WatchedService;
    const columns = [longestTurnMs, waited as number, heapUsed / 1024 / 1024];
    print(`${name.padEnd(24)}${columns.map((column) => column.toFixed(1).padStart(14)).join('')}`);
  };
  print(
    `${'request'.padEnd(24)}${['turn CPU ms', 'livez max ms', 'heap MB'].map((name) => name.padStart(14)).join('')}`,
  );

  await measure('nothing', async () => new Promise((resolve) => setTimeout(resolve, 1_000)));
  const contracts = [...contractsOf(largestSetUp)];
  const [first] = contracts;
  if (first === undefined) throw new Error('The set-up has no contract.');
  await measure('register all', async () => {
    for (const contract of contracts) await management.registerSmartContract({ apiKey, ...contract });
  });
  const policyIds: string[] = [];
  await measure('POST policies', async () => {
    for (let number = 1; number <= largestSetUp.policies; number += 1) {
      const { policyId } = await management.createPolicy({
        apiKey,
        name: `policy ${number}`,
        policy: policyOf(largestSetUp, number),
      });
      policyIds.push(policyId);
    }
  });
  await measure('PUT default policy', () => management.setPolicy({ apiKey, policy: policyOf(largestSetUp, 0) }));
  const answers = new Map<string, number>();
  await measure('100 calls, each policy', async () => {
    for (const policyId of policyIds) {
      const answer = await askForBatch(service, policyId);
      answers.set(answer, (answers.get(answer) ?? 0) + 1);
    }
  });
  for (const [answer, count] of answers) print(`  ${count} × ${answer}`);
  await measure('validate 10 policies', async () => {
    const asked = [batchOf(service.target), service.target.entryPoint, policyIds.slice(0, maxValidatedPolicies)];
    await askRpc(service.target, 'pm_validateSponsorshipPolicies', asked);
  });
  await measure('list contracts', () => management.listSmartContracts({ apiKey }));
  await measure('list policies', () => management.listPolicies({ apiKey }));
  await measure('preview', () => management.previewPolicy({ apiKey, policy: policyOf(largestSetUp, 0), last: 1_000 }));
  const policyId = policyIds[0] ?? '';
  const operation = batchOf(service.target);
  await measure('explain', () =>
    management.explainSponsorship({
      apiKey,
      method: 'pm_sponsorUserOperation',
      params: [operation, contextOf(policyId)],
    }),
  );
  await measure('DELETE contract', () => management.deleteSmartContract({ apiKey, address: first.address }));
  await measure('register it again', () => management.registerSmartContract({ apiKey, ...first }));
  await meter.stop();
  await service.stop();
}

function contextOf(policyId: string) {
  return {
    mode: 'SPONSORED' as const,
    policyId,
    calculateGasLimits: false,
    sponsorshipInfo: { webhookData: {}, smartAccountInfo },
  };
}

/** Why it is refused, or `signed`. */
async function askForBatch({ target }: BenchProcess<BenchTarget>, policyId: string): Promise<string> {
  const text = await askRpc(target, 'pm_sponsorUserOperation', [batchOf(target), contextOf(policyId)]);
  if (text.includes('"result"')) return 'signed';
  const [, message = text] = /"message":"([^"]*)"/.exec(text) ?? [];
  return message.slice(0, 200);
}

async function askRpc({ rpcUrl }: BenchTarget, method: string, params: readonly unknown[]): Promise<string> {
  const response = await fetch(rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  return response.text();
}

/** An operation with as many calls, of methods with rules and of contracts with limits, as one may have. */
function batchOf({ senders }: BenchTarget) {
  const nonceKey = nextNonceKey();
  const calls = Array.from({ length: innerCalls }, (_, at) => (at < wideCalls ? wideCall(at) : shortCall(at)));
  const args = [calls.map(({ to }) => to), calls.map(() => 0n), calls.map(({ data }) => data)] as const;
  return {
    sender: senders[nonceKey % senders.length],
    nonce: `0x${nonceKey.toString(16)}0000000000000000`,
    callData: encodeFunctionData({ abi: batchAbi, args }),
    callGasLimit: numberToHex(500_000),
    verificationGasLimit: numberToHex(100_000),
    // It needs 326,000. Much more than that is refused.
    preVerificationGas: numberToHex(333_000),
    maxFeePerGas: numberToHex(1_000_000_000),
    maxPriorityFeePerGas: numberToHex(1_000_000_000),
    signature: '0x' as Hex,
  };
}

function wideCall(at: number) {
  const types = Array.from({ length: largestSetUp.parametersOfMethod }, () => ({ type: 'bool' }));
  const selector = toFunctionSelector(`w0(${types.map(({ type }) => type).join(',')})`);
  const data = concat([
    selector,
    encodeAbiParameters(
      types,
      types.map(() => true),
    ),
  ]);
  return { to: setUpAddress(at % largestSetUp.wide), data };
}

function shortCall(at: number) {
  return { to: setUpAddress(largestSetUp.wide + (at % largestSetUp.long)), data: toFunctionSelector(`l${at}()`) };
}
