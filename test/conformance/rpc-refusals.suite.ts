import { type Address, encodeFunctionData, type Hex, parseAbi } from 'viem';
import { describe, expect, test } from 'vitest';
import { accepted } from '../../server/accepted.ts';
import { incrementCall } from '../../server/dev/demo-operations.ts';
import type { DevCall } from '../../server/dev/user-operation/build-user-operation.ts';
import {
  callRpc,
  givenLimits,
  messageOf,
  newOperation,
  type Rpc,
  refusalOf,
  resultOf,
  sponsored,
} from '../support/interface/rpc-calls.ts';
import type { HttpAnswer } from '../support/interface/send-http.ts';
import { callManagement, dataOf, newTenant } from '../support/interface/tenant.ts';
import { useService } from '../support/interface/use-service.ts';
import type { ServiceOptions } from '../support/service/running-service.ts';
import { payingOperation } from './paying-operation.ts';
import { ceilings, type RpcBench } from './rpc-bench.ts';

const failAbi = parseAbi(['function fail()']);
const transferAbi = parseAbi(['function transfer(address to, uint256 amount)']);

/** The table of refusals in decision 3, and decision 4: code, reason, HTTP status and what the text must hold. */
export function describeRefusals(
  { service, url, paymaster }: RpcBench,
  handle: NonNullable<ServiceOptions['handle']>,
): void {
  const targetCall = (data: Hex = '0x'): DevCall => ({ to: service().devnet.target.address, data });
  const sponsor = async (calls: readonly DevCall[], fields: object = {}, address = url()) =>
    callRpc(address, [{ ...(await newOperation(service().devnet, '0.7', calls)), ...fields }, sponsored]);
  const increment = () => incrementCall(service().devnet);

  describe('decision 3: refusals', () => {
    test('UNAUTHORIZED for an apiKey that is unknown, malformed or overlong', async () => {
      const { apiKey } = paymaster();
      const unknown = `${apiKey.slice(0, -1)}${apiKey.endsWith('0') ? '1' : '0'}`;
      for (const key of [unknown, 'nonsense', 'a'.repeat(500), apiKey.toUpperCase(), '%00']) {
        const answer = await sponsor([increment()], {}, service().rpcUrl(key));
        expect(refusalOf(answer)).toEqual([401, -32011, 'UNAUTHORIZED']);
      }
    });

    test.each([1, 137, 31_338])('UNAUTHORIZED for an apiKey of another chain than %i', async (chainId) => {
      const address = `${service().url}/api/v1/${chainId}/${paymaster().apiKey}`;
      expect(refusalOf(await sponsor([increment()], {}, address))).toEqual([401, -32011, 'UNAUTHORIZED']);
    });

    test.each(['mainnet', '0', '-1', '1e3', '0x7a69'])('CHAIN_NOT_SUPPORTED for the chain id %s', async (chainId) => {
      const address = `${service().url}/api/v1/${chainId}/${paymaster().apiKey}`;
      expect(refusalOf(await sponsor([increment()], {}, address))).toEqual([422, -32012, 'CHAIN_NOT_SUPPORTED']);
    });

    test('NO_POLICIES, whose text holds "No policies were set", for a paymaster without contracts', async () => {
      const { apiKey } = await newTenant(service());
      const answer = await sponsor([increment()], {}, service().rpcUrl(apiKey));
      expect(refusalOf(answer)).toEqual([422, -32013, 'NO_POLICIES']);
      expect(messageOf(answer)).toContain('No policies were set');
    });

    test('CONTRACT_NOT_REGISTERED, whose text holds "Smart contract data not found"', async () => {
      const answer = await sponsor([{ ...increment(), to: service().devnet.tokenRecipient }]);
      expect(refusalOf(answer)).toEqual([422, -32013, 'CONTRACT_NOT_REGISTERED']);
      expect(messageOf(answer)).toContain('Smart contract data not found');
    });

    test.each<[string, Hex]>([
      ['a method that is not whitelisted', encodeFunctionData({ abi: failAbi })],
      ['a plain transfer of coin', '0x'],
      ['a method that is not in the ABI', '0x12345678'],
    ])('METHOD_NOT_WHITELISTED for %s', async (_name, data) => {
      expect(refusalOf(await sponsor([targetCall(data)]))).toEqual([422, -32013, 'METHOD_NOT_WHITELISTED']);
    });

    test('one call of a batch that is not allowed refuses all of it', async () => {
      const [token] = service().devnet.tokens;
      const to = token?.address as Address;
      const transfer = { to, data: encodeFunctionData({ abi: transferAbi, args: [to, 1n] }) };
      const answer = await sponsor([increment(), transfer, increment()]);
      expect(refusalOf(answer)).toEqual([422, -32013, 'CONTRACT_NOT_REGISTERED']);
    });

    test.each<[string, Hex]>([
      ['an unknown form', '0x12345678'],
      ['a cut-off selector', '0xb61d27'],
      ['trailing bytes', '0x00'],
    ])('CALL_NOT_UNDERSTOOD for %s', async (name, data) => {
      const sent = await newOperation(service().devnet, '0.7');
      const callData = name === 'trailing bytes' ? `${String(sent.callData)}${data.slice(2)}` : data;
      const answer = await callRpc(url(), [{ ...sent, callData }, sponsored]);
      expect(refusalOf(answer)).toEqual([422, -32013, 'CALL_NOT_UNDERSTOOD']);
    });

    test('GAS_PRICE_TOO_HIGH above the operator’s ceiling, not at it', async () => {
      const above = { maxFeePerGas: String(ceilings.maxFeePerGas + 1n) };
      expect(refusalOf(await sponsor([increment()], above))).toEqual([422, -32013, 'GAS_PRICE_TOO_HIGH']);
      // At the ceiling the price is no obstacle: the cost of the whole operation is.
      const at = { maxFeePerGas: String(ceilings.maxFeePerGas) };
      expect(refusalOf(await sponsor([increment()], at))).toEqual([422, -32013, 'LIMIT_EXCEEDED']);
    });

    test('LIMIT_EXCEEDED above the operator’s most for one operation, which it names', async () => {
      const answer = await sponsor([increment()], { maxFeePerGas: String(ceilings.maxFeePerGas) });
      expect(refusalOf(answer)).toEqual([422, -32013, 'LIMIT_EXCEEDED']);
      expect((answer.json as Rpc).error?.data?.max).toBe(String(ceilings.maxCostPerOperation));
    });

    test('LIMIT_EXCEEDED for preVerificationGas far above what the operation needs', async () => {
      const wasteful = { preVerificationGas: String(givenLimits.preVerificationGas * 50) };
      expect(refusalOf(await sponsor([increment()], wasteful))).toEqual([422, -32013, 'LIMIT_EXCEEDED']);
    });

    test('INSUFFICIENT_FUNDS when the gas tank is empty', async () => {
      const tenant = await newTenant(service());
      const { address, abi } = service().devnet.target;
      const contract = { name: 'target', address, abi: JSON.stringify(abi), whitelistedMethods: ['increment'] };
      const request = { headers: tenant.headers, json: contract };
      dataOf(await callManagement(service(), 'POST', '/smart-contract', request));
      const answer = await sponsor([increment()], {}, service().rpcUrl(tenant.apiKey));
      expect(refusalOf(answer)).toEqual([422, -32014, 'INSUFFICIENT_FUNDS']);
    });

    test('in token mode contracts do not apply, the operator’s caps and the funds do', async () => {
      const { apiKey } = await newTenant(service());
      const feeTokenAddress = service().devnet.tokens[0]?.address;
      const pay = async (address: string, fields: object = {}) => {
        const operation = { ...(await payingOperation(service().devnet)), ...fields };
        const context = { mode: 'ERC20', calculateGasLimits: false, tokenInfo: { feeTokenAddress } };
        return refusalOf(await callRpc(address, [operation, context], 'pm_sponsorUserOperation'));
      };
      expect(await pay(service().rpcUrl(apiKey))).toEqual([422, -32014, 'INSUFFICIENT_FUNDS']);
      const priceAbove = { maxFeePerGas: String(ceilings.maxFeePerGas + 1n) };
      expect(await pay(url(), priceAbove)).toEqual([422, -32013, 'GAS_PRICE_TOO_HIGH']);
      const costly = { maxFeePerGas: String(ceilings.maxFeePerGas) };
      expect(await pay(url(), costly)).toEqual([422, -32013, 'LIMIT_EXCEEDED']);
    });

    test('ESTIMATION_FAILED carries the EntryPoint’s AA code and the field to look at', async () => {
      const sent = await newOperation(service().devnet, '0.7');
      const broken = { ...sent, factory: service().devnet.tokenRecipient };
      const answer = await callRpc(url(), [broken, { ...sponsored, calculateGasLimits: true }]);
      expect(refusalOf(answer)).toEqual([422, -32016, 'ESTIMATION_FAILED']);
      expect((answer.json as Rpc).error?.data).toMatchObject({ aaCode: expect.stringMatching(/^AA\d\d$/), field: /./ });
    });

    test('every refusal names its decision, and a sentence for a person', async () => {
      const ids = new Set<string>();
      const { apiKey } = await newTenant(service());
      const answers = [
        await sponsor([increment()], {}, service().rpcUrl(apiKey)),
        await sponsor([increment()], {}, service().rpcUrl('nonsense')),
        await sponsor([increment()], {}, service().rpcUrl('a'.repeat(200))),
        await callRpc(`${service().url}/api/v1/none/nonsense`, []),
        await sponsor([increment()], { maxFeePerGas: 'nonsense' }),
        await sponsor([increment()], { sender: 5 }),
        await callRpc(url(), ['nonsense']),
      ];
      for (const answer of answers) {
        expect(messageOf(answer)).toMatch(/\w+ \w+/);
        ids.add((answer.json as Rpc).error?.data?.decisionId ?? 'none');
      }
      expect([ids.size, ids.has('none')]).toEqual([answers.length, false]);
    });
  });

  describe('decision 3: RATE_LIMITED', () => {
    const limited = useService({ handle, limits: { requestsPerSecond: 0.5, requestBurst: 3 } });

    test.each(['a known', 'an unknown'])('comes with HTTP 429 and Retry-After for %s apiKey', async (kind) => {
      const { core, devnet, rpcUrl } = limited();
      const { accountId } = await limited().issueAccount();
      const fields = { accountId, name: 'busy', type: 'HYBRID', chainId: devnet.chainId, version: '2.0.0' };
      const { apiKey } = accepted(await core.createPaymaster(fields));
      const params = [await newOperation(devnet, '0.7'), sponsored];
      const address = rpcUrl(kind === 'a known' ? apiKey : 'nonsense');
      const answers: HttpAnswer[] = [];
      for (let sent = 0; sent < 8; sent += 1) answers.push(await callRpc(address, params));
      const last = answers.at(-1);
      if (last === undefined) throw new Error('Nothing was sent.');
      expect(refusalOf(last)).toEqual([429, -32005, 'RATE_LIMITED']);
      expect(Number(last.headers['retry-after'])).toBeGreaterThanOrEqual(1);
    });
  });

  describe('decision 3: CHAIN_UNAVAILABLE', () => {
    let skewMs = 0;
    const broken = useService({ handle, clock: { now: () => Date.now() + skewMs } });

    test('comes with HTTP 503 once the node is silent', async () => {
      const { authToken } = await broken().issueAccount();
      const { rpcUrl } = await broken().fundedPaymaster(authToken, '0.7');
      const params = [await newOperation(broken().devnet, '0.7'), sponsored];
      resultOf(await callRpc(rpcUrl, params));
      await broken().devnet.close();
      skewMs = 60_000;
      expect(refusalOf(await callRpc(rpcUrl, params))).toEqual([503, -32018, 'CHAIN_UNAVAILABLE']);
    });
  });
}
