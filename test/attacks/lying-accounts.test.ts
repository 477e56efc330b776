import { readFileSync } from 'node:fs';
import {
  type Address,
  concat,
  encodeAbiParameters,
  type Hex,
  keccak256,
  numberToHex,
  pad,
  parseAbi,
  parseEther,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { EntryPointVersion } from '../../core/domain/entry-point-version.ts';
import { implementationSlot } from '../../core/evm/account-codes/find-in-catalogue.ts';
import { delegationCode } from '../../core/evm/entry-point/eip7702.ts';
import { buildUserOperation } from '../../server/dev/user-operation/build-user-operation.ts';
import { toRpcUserOperation } from '../../server/dev/user-operation/dev-user-operation.ts';
import { incrementsOf, newSmartAccount, targetCall } from '../support/chain/chain-lab.ts';
import { deploy } from '../support/chain/deploy-code.ts';
import { tabledEntryPoints } from '../support/chain/tabled-entry-points.ts';
import { packageFile } from '../support/packages/pack.ts';
import { isLongRun } from '../support/run/rows-of-run.ts';
import { askRpc } from '../support/service/chain-rpc.ts';
import { askSponsorship, sponsor, withAnswer } from '../support/service/chain-sponsorship.ts';
import type { ProductionService } from '../support/service/production-service.ts';
import { fundedTank, type ProductionTank } from '../support/service/production-tank.ts';
import { freshKey } from '../support/service/running-service.ts';
import { useProductionService } from '../support/service/use-production-service.ts';
import { claimingOperation, deployLiar, deployWritingFactory, liarOf } from './lying-account.ts';
import { bundleAlone } from './measure-attack.ts';

const smartAccountInfo = { name: 'INFINITISM', version: '1.0.0' };
const sponsored = { mode: 'SPONSORED', sponsorshipInfo: { webhookData: {}, smartAccountInfo } };
const stranger: Address = `0x${'00'.repeat(20)}`;
/** Slots that the account writes in the sponsor's name: some 9 million gas. Bundlers take 5 million gas of validation at most. */
const manyWrites = 400;
const fewWrites = 20;

function tankOf(service: ProductionService, version: EntryPointVersion, policy?: object): Promise<ProductionTank> {
  return fundedTank(service, {
    family: version,
    amount: parseEther('10'),
    ...(policy === undefined ? {} : { policy }),
  });
}

describe.runIf(isLongRun)('where the owner takes any account, and the operator any gas', () => {
  const gas = { call: 12_000_000, verification: 8_000_000, deployment: 8_000_000 };
  const service = useProductionService({
    settings: () => ({ chain: { accounts: { gas: { ANY: gas } } } }),
  });

  test.each(tabledEntryPoints)('the tank pays %s for other work of account and factory', async (version) => {
    const { devnet } = service();
    const tank = await tankOf(service(), version, { accounts: 'ANY' });
    const liar = liarOf(await deployWritingFactory(devnet), manyWrites, 1n);
    const drafted = await claimingOperation(devnet, version, liar);
    const operation = withAnswer(drafted, await sponsor(tank.rpcUrl, drafted));
    const { gained, lost } = await bundleAlone(devnet, { tank, operations: [operation] });
    const { baseFeePerGas } = await devnet.client.getBlock();
    const paid = lost / ((baseFeePerGas ?? 0n) + operation.maxPriorityFeePerGas);
    expect(paid).toBeGreaterThan(12_000_000n);
    expect(gained).toBeGreaterThan(0n);
    expect(await incrementsOf(devnet, liar.sender)).toBe(0n);
  });
});

describe('without a word of owner and operator', () => {
  const service = useProductionService();

  describe.each(tabledEntryPoints)('EntryPoint %s', (version) => {
    let rpcUrl: string;
    beforeAll(async () => {
      ({ rpcUrl } = await tankOf(service(), version));
    });

    async function refused(account: { sender: Address; initCode?: Hex }, culprit: Address, setting: string) {
      const { devnet } = service();
      const operation = await claimingOperation(devnet, version, account);
      const answer = await askSponsorship(rpcUrl, operation);
      expect(answer).toMatchObject({ httpStatus: 422, code: -32013, reason: 'ACCOUNT_NOT_KNOWN' });
      const codeHash = keccak256((await devnet.client.getCode({ address: culprit })) ?? '0x');
      expect(answer.message).toContain(codeHash);
      expect(answer.message).toContain(setting);
      expect(answer.message).toContain('ANY');
      const params = [toRpcUserOperation(operation), devnet.entryPoints[version], numberToHex(devnet.chainId), {}];
      const stub = await askRpc(rpcUrl, 'pm_getPaymasterStubData', params);
      expect(stub).toMatchObject({ code: -32013, reason: 'ACCOUNT_NOT_KNOWN' });
      expect(stub.message).toContain(codeHash);
    }

    test('an account that is not there yet, and its factory, are not known', async () => {
      const factory = await deployWritingFactory(service().devnet);
      await refused(liarOf(factory, manyWrites, 2n), factory, 'accounts.factories');
    });

    test('an account is not known by what it claims to delegate to', async () => {
      const decent = await implementationOf(service(), version);
      const sender = await deployLiar(service().devnet, manyWrites, decent);
      await refused({ sender }, sender, 'accounts.proxies');
    });

    test('what runs behind published proxies has to be known as well', async () => {
      const { devnet } = service();
      const liar = await deployLiar(devnet, manyWrites, stranger);
      for (const creationCode of [publishedProxy(liar), minimalProxy(liar)]) {
        await refused({ sender: await deploy(devnet, creationCode) }, liar, 'accounts.implementations');
      }
    });

    test('an account that was known a moment ago and has become another one is not', async () => {
      const { devnet } = service();
      const sender = await deploy(devnet, publishedProxy(await implementationOf(service(), version)));
      const honest = await claimingOperation(devnet, version, { sender });
      expect(await askSponsorship(rpcUrl, honest)).toMatchObject({ httpStatus: 200 });
      const liar = await deployLiar(devnet, fewWrites, stranger);
      await devnet.client.setStorageAt({ address: sender, index: implementationSlot, value: pad(liar) });
      expect(await askSponsorship(rpcUrl, { ...honest, nonce: 1n << 64n })).toMatchObject({
        httpStatus: 422,
        reason: 'ACCOUNT_NOT_KNOWN',
      });
    });

    test('a contract that says that it has delegated to a known one is taken for what it is', async () => {
      const { devnet } = service();
      const sender = await deployLiar(devnet, fewWrites, stranger);
      const claiming = await claimingOperation(devnet, version, { sender });
      const chainId = numberToHex(devnet.chainId);
      const said = { address: devnet.simple7702Account, chainId, nonce: '0x0', r: '0x1', s: '0x1', yParity: '0x0' };
      const asked = [{ ...toRpcUserOperation(claiming), eip7702Auth: said }, sponsored];
      const answer = await askRpc(rpcUrl, 'pm_sponsorUserOperation', asked);
      expect(answer).toMatchObject({ httpStatus: 400, code: -32602 });
      expect(answer.message).toContain('eip7702Auth is for a sender that is a contract');
    });

    test('what a sender delegates to by EIP-7702 has to be known as well', async () => {
      const { devnet } = service();
      const liar = await deployLiar(devnet, manyWrites, stranger);
      const { address: sender } = privateKeyToAccount(freshKey());
      await devnet.client.setCode({ address: sender, bytecode: delegationCode(liar) });
      await refused({ sender }, liar, 'accounts.implementations');
    });

    test('a published factory that makes accounts of other code is not known', async () => {
      const { devnet } = service();
      const decent = await implementationOf(service(), version);
      const liar = await deployLiar(devnet, fewWrites, stranger);
      const published = (await devnet.client.getCode({ address: devnet.accountFactories[version] })) ?? '0x';
      const bytecode = published.toLowerCase().replaceAll(decent.slice(2).toLowerCase(), liar.slice(2).toLowerCase());
      const factory: Address = `0xfac7${version.replace('.', '').padStart(36, '0')}`;
      await devnet.client.setCode({ address: factory, bytecode: bytecode as Hex });
      const { owner } = newSmartAccount(version);
      const forged = { ...devnet, accountFactories: { ...devnet.accountFactories, [version]: factory } };
      const calls = [targetCall(devnet, 'increment')];
      await refused(
        await buildUserOperation(forged, { version, owner: owner.address }, calls),
        liar,
        'implementations',
      );
    });
  });

  test('an account that any code may run for gets less gas', async () => {
    const { devnet } = service();
    const { rpcUrl } = await tankOf(service(), '0.7', { accounts: 'ANY' });
    const ask = async (writes: number) =>
      askSponsorship(
        rpcUrl,
        await claimingOperation(devnet, '0.7', { sender: await deployLiar(devnet, writes, stranger) }),
      );
    const most = await ask(manyWrites);
    expect(most).toMatchObject({ httpStatus: 422, reason: 'LIMIT_EXCEEDED' });
    expect(most.message).toMatch(/^callGasLimit is \d+ gas\. At most 1000000 is signed/);
    expect((await ask(fewWrites)).httpStatus).toBe(200);
  });
});

const factoryAbi = parseAbi(['function accountImplementation() view returns (address)']);

function implementationOf({ devnet }: ProductionService, version: EntryPointVersion): Promise<Address> {
  const address = devnet.accountFactories[version];
  return devnet.client.readContract({ address, abi: factoryAbi, functionName: 'accountImplementation' });
}

const artifactSchema = z.object({ bytecode: z.templateLiteral(['0x', z.string()]) });

/** OpenZeppelin's ERC1967Proxy in front of other code. */
function publishedProxy(implementation: Address): Hex {
  const file = packageFile('@openzeppelin/contracts-4', 'build/contracts/ERC1967Proxy.json');
  const { bytecode } = artifactSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  return concat([bytecode, encodeAbiParameters([{ type: 'address' }, { type: 'bytes' }], [implementation, '0x'])]);
}

/** EIP-1167, with the few bytes that return it. */
function minimalProxy(implementation: Address): Hex {
  return concat(['0x3d602d80600a3d3981f3363d3d373d3d3d363d73', implementation, '0x5af43d82803e903d91602b57fd5bf3']);
}
