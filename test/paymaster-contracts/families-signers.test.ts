import { type Address, encodeFunctionData, type Hex, pad } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Logger } from '../../core/base/logger.ts';
import { Secret } from '../../core/base/values/secret.ts';
import { devTargetAbi } from '../../server/dev/devnet/contracts.generated.ts';
import { OperationRefused } from '../../server/dev/user-operation/entry-point.ts';
import { approvedAhead, deployTable } from '../support/paymaster-contracts/biconomy-lab.ts';
import type { DeployedPaymaster } from '../support/paymaster-contracts/paymaster-lab.ts';
import { approveAll, mintTo } from '../support/paymaster-contracts/send-sponsored.ts';
import { deployVerifyingPaymaster } from '../support/paymaster-contracts/verifying-lab.ts';
import { type FamiliesService, startFamiliesService } from './families-service.ts';

/** The families whose contracts have one signer, by a number of theirs. */
const families = [
  'verifying-paymaster-0.6',
  'verifying-paymaster-0.7',
  'biconomy-sponsorship-1.0.0',
  'biconomy-sponsorship-1.1.0',
  'biconomy-sponsorship-packed',
  'biconomy-sponsorship-0.7',
  'biconomy-token-0.6',
  'biconomy-token-0.6-packed',
  'biconomy-token-0.7',
] as const;
type Family = (typeof families)[number];
const ofBiconomy = families.filter((family) => family.startsWith('biconomy'));

/** Of the contract that has the old key, and of the one next to it that has the new key. */
const versionOf = (family: Family, generation: 1 | 2) => `${generation}.${families.indexOf(family)}.0`;

const newKey = generatePrivateKey();
const newSigner = privateKeyToAccount(newKey);
const info: string[] = [];
const logger: Logger = { debug() {}, info: (_, message) => void info.push(message), warn() {}, error() {} };

let service: FamiliesService;
beforeAll(async () => {
  service = await startFamiliesService(async (deployed, tokenRecipient, lab) => {
    const withNewKey = { ...lab, signer: newSigner };
    const second = new Map<string, DeployedPaymaster>(await deployTable(withNewKey));
    for (const version of ['0.6', '0.7'] as const) {
      second.set(`verifying-paymaster-${version}`, await deployVerifyingPaymaster(withNewKey, version));
    }
    return families.flatMap((family) =>
      ([1, 2] as const).map((generation) => {
        const address = (generation === 1 ? deployed : second).get(family)?.contract.address;
        if (address === undefined) throw new Error(`${family} is not deployed.`);
        return { version: versionOf(family, generation), family, address, tokenRecipient };
      }),
    );
  }, logger);
  const raw = (key: Hex) => ({ kind: 'raw', privateKey: new Secret(key) }) as const;
  const signers = { signer: raw(newKey), previousSigners: [raw(service.signerKey.reveal())] };
  await service.changeSigners([{ chainId: service.lab.devnet.chainId, ...signers }]);
});
afterAll(() => service.close());

let salt = 100n;

/** An operation of a new account, signed for by the contract of a version. */
async function signFor(family: Family, generation: 1 | 2) {
  const { lab } = service;
  const entryPointVersion = family.endsWith('0.7') ? '0.7' : '0.6';
  const { apiKey } = await service.paymaster(versionOf(family, generation));
  const spender = contractOf(family, generation);
  const token = lab.devnet.tokens[1]?.address ?? spender;
  const inTokens = family.includes('-token-');
  const increment = {
    to: lab.devnet.target.address,
    data: encodeFunctionData({ abi: devTargetAbi, functionName: 'increment' }),
  };
  salt += 1n;
  const calls = inTokens ? [{ to: token, data: approveAll(spender) }] : [increment];
  const first = await service.build(entryPointVersion, salt, calls);
  if (inTokens) await mintTo(lab, token, first.sender);
  if (inTokens && entryPointVersion === '0.7') {
    const gas = { callGasLimit: 0n, verificationGasLimit: 0n, preVerificationGas: 0n };
    const bare = { ...first, gas: { ...gas, paymasterVerificationGasLimit: 0n, paymasterPostOpGasLimit: 0n } };
    await approvedAhead(lab, bare, token, spender);
  }
  const operation = await service.build(entryPointVersion, salt, calls);
  const payment = inTokens
    ? ({ mode: 'ERC20', tokenInfo: { feeTokenAddress: token }, sponsorshipInfoGiven: false } as const)
    : ({ mode: 'SPONSORED' } as const);
  const request = service.ask(apiKey, operation, payment);
  return { operation, request, answer: await service.sponsor(request) };
}

function contractOf(family: Family, generation: 1 | 2): Address {
  const entry = service.config.chains[0]?.paymasterContracts.find(
    ({ version }) => version === versionOf(family, generation),
  );
  if (entry === undefined) throw new Error(`${family} is not configured.`);
  return entry.address;
}

describe.each(families)('%s, whose contract has one signer', (family) => {
  test('next to a second contract that has the new key nothing is lost: each is signed for with its own', async () => {
    const [old, next] = [await signFor(family, 1), await signFor(family, 2)];
    expect((await service.land(next.operation, next.answer)).success).toBe(true);
    expect((await service.land(old.operation, old.answer)).success).toBe(true);
  });
});

/**
 * What `setSigner` does to a contract, whose owner calls it. The test contracts have their signer in their code.
 */
async function setSigner(address: Address): Promise<void> {
  const { client } = service.lab.devnet;
  const code = (await client.getCode({ address })) ?? '0x';
  const word = (signer: Address) => pad(signer).slice(2).toLowerCase();
  const changed = code.replaceAll(word(service.lab.signer.address), word(newSigner.address)) as Hex;
  expect(changed).not.toBe(code);
  await client.setCode({ address, bytecode: changed });
}

describe.each(ofBiconomy)('%s, whose contract gets another signer', (family) => {
  test('takes nothing that the old key has signed any more; asked again, the service signs with the new one', async () => {
    const { operation, request, answer } = await signFor(family, 1);
    info.length = 0;
    await setSigner(contractOf(family, 1));
    await expect(service.land(operation, answer)).rejects.toThrow(OperationRefused);
    await vi.waitFor(() => expect(info).toContain('The newest key now signs for the contract'), { timeout: 15_000 });
    const again = await service.sponsor(request);
    expect((await service.land(operation, again)).success).toBe(true);
  });
});
