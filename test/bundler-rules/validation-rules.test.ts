import {
  type Address,
  encodeFunctionData,
  getAddress,
  getContractAddress,
  type Hex,
  parseAbi,
  parseEther,
  slice,
} from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { SponsorshipMode } from '../../core/domain/sponsorship.ts';
import type { UserOperationWithGas } from '../../core/domain/user-operation.ts';
import { paymasterContractFamilies } from '../../core/evm/paymaster-contracts/families.ts';
import type { PaymasterContract } from '../../core/evm/paymaster-contracts/family/family.ts';
import { bundlerLookupGas } from '../../core/evm/paymaster-contracts/family/validation-gas.ts';
import { gasSchedules } from '../../core/gas/gas-schedule.ts';
import { numberedAddress } from '../support/core/ledger-lab.ts';
import { customer, depositFor } from '../support/paymaster-contracts/biconomy-lab.ts';
import { openTerms } from '../support/paymaster-contracts/biconomy-table.ts';
import { type DeployedFamilies, deployFamilies } from '../support/paymaster-contracts/deploy-families.ts';
import {
  type DeployedPaymaster,
  type PaymasterLab,
  startPaymasterLab,
} from '../support/paymaster-contracts/paymaster-lab.ts';
import {
  approveAll,
  bundler,
  mintTo,
  newAccountOperation,
  setDeposit,
  signForBundle,
} from '../support/paymaster-contracts/send-sponsored.ts';
import { oneOfEach } from '../support/run/rows-of-run.ts';
import { type Circumstances, findViolations, type Violation } from './find-violations.ts';
import { type Entity, readValidation, type Step, type Validation } from './read-validation.ts';

let lab: PaymasterLab;
let families: DeployedFamilies;
let salt = 75_620n;
beforeAll(async () => {
  lab = await startPaymasterLab();
  families = await deployFamilies(lab);
});
afterAll(() => lab.close());

const rows = [...paymasterContractFamilies.values()].flatMap(({ name, entryPointVersion, modes }) =>
  modes.flatMap((mode) =>
    (mode === 'SPONSORED' ? ['new', 'deployed'] : ['deployed']).map((account) => ({
      name,
      version: entryPointVersion,
      mode,
      account,
    })),
  ),
);

/** The rules that the validation of an operation breaks, where these entities are staked. */
async function check(name: string, mode: SponsorshipMode, account: string, ...staked: readonly Entity[]) {
  const paymaster = families.get(name);
  if (paymaster === undefined) throw new Error(`${name} is not deployed.`);
  return checkOf(paymaster, mode, account, staked);
}

async function checkOf(
  paymaster: DeployedPaymaster,
  mode: SponsorshipMode,
  account: string,
  staked: readonly Entity[],
) {
  const token = lab.devnet.tokens[1]?.address;
  if (token === undefined) throw new Error('The chain has no tokens.');
  const { contract, family } = paymaster;
  salt += 1n;
  const made = await newAccountOperation(lab, paymaster, { mode, salt, target: lab.devnet.tokenRecipient, data: '0x' });
  if (family.customerFunding === undefined) await setDeposit(lab, paymaster, parseEther('20'));
  else await depositFor(lab, contract, parseEther('10'));
  if (mode === 'ERC20') await mintTo(lab, token, made.sender);
  const operation = account === 'new' ? made : await deployed(made, contract, token);
  const limits = family.paymasterGasLimits(mode, gasSchedules.osaka, operation);
  const lookup = contract.allowedBundlers === undefined ? 0n : bundlerLookupGas(gasSchedules.osaka);
  const paymasterVerificationGasLimit = limits.paymasterVerificationGasLimit + lookup;
  const gas = { ...operation.gas, ...limits, paymasterVerificationGasLimit };
  const signedTerms = openTerms(mode, customer(lab).address, token);
  const state = await readState(family.stateData?.(operation), contract.address);
  const validation = await readValidation(lab.devnet, {
    version: family.entryPointVersion,
    from: bundler(lab).address,
    data: await signForBundle(lab, paymaster, { ...operation, gas }, signedTerms, state),
    sender: operation.sender,
    paymaster: contract.address,
  });
  expect(new Set(validation.steps.map(({ entity }) => entity)), 'who validates').toEqual(
    new Set(account === 'new' ? ['factory', 'account', 'paymaster'] : ['account', 'paymaster']),
  );
  return { validation, violations: await violationsOf(validation, account === 'new', staked) };
}

/** Makes the account as the EntryPoint does, and lets the paymaster take its tokens: factories from 0.8 on obey no one else. */
async function deployed(made: UserOperationWithGas, contract: PaymasterContract, token: Address) {
  const { initCode, sender } = made;
  const creator = getContractAddress({ from: contract.entryPoint, nonce: 1n });
  await sendAs(creator, { to: slice(initCode, 0, 20), data: slice(initCode, 20), gas: 1_000_000n });
  await sendAs(sender, { to: token, data: approveAll(contract.address), gas: 200_000n });
  return { ...made, initCode: '0x' as const };
}

async function sendAs(from: Address, call: { readonly to: Address; readonly data: Hex; readonly gas: bigint }) {
  const { client } = lab.devnet;
  await client.setBalance({ address: from, value: parseEther('1') });
  await client.impersonateAccount({ address: from });
  const hash = await client.sendTransaction({ account: from, chain: client.chain, ...call });
  expect((await client.waitForTransactionReceipt({ hash })).status).toBe('success');
  await client.stopImpersonatingAccount({ address: from });
}

async function readState(data: Hex | undefined, to: Address): Promise<Hex | undefined> {
  return data === undefined ? undefined : (await lab.devnet.client.call({ to, data })).data;
}

async function violationsOf(
  validation: Validation,
  createsSender: boolean,
  staked: readonly Entity[],
): Promise<readonly Violation[]> {
  const targets = [...new Set(validation.steps.flatMap(({ target }) => (target === undefined ? [] : [target])))];
  const codes = await Promise.all(targets.map((address) => lab.devnet.client.getCode({ address })));
  const withCode = new Set(targets.filter((_, index) => codes[index] !== undefined));
  const circumstances: Circumstances = {
    staked: new Set(staked),
    createsSender,
    hasCode: (address) => withCode.has(address),
  };
  return findViolations(validation, circumstances);
}

describe('a staked paymaster contract', () => {
  test.each(oneOfEach(rows, ({ name, mode }) => `${name} ${mode}`))(
    '$name keeps the rules: $mode, $account account',
    async ({ name, mode, account }) => {
      const { violations } = await check(name, mode, account, 'paymaster');
      expect(violations).toEqual([]);
    },
  );
});

/** Reads their own storage for the signer, which only a staked paymaster may. */
test.each(['pimlico-singleton-0.7', 'pimlico-singleton-0.8', 'tollfree-0.8', 'tollfree-0.9'])(
  '%s is refused by strict bundlers without a stake, and only for its own storage',
  async (name) => {
    const { validation, violations } = await check(name, 'SPONSORED', 'deployed');
    expect([...new Set(violations.map(({ rule, entity }) => `${rule} ${entity}`))]).toEqual(['STO-021 paymaster']);
    expect(violations.every(({ what }) => what.includes(getAddress(validation.paymaster)))).toBe(true);
  },
);

test.each(['pimlico-singleton-0.8', 'tollfree-0.9'])(
  '%s reads who sent the bundle where bundlers are named, which strict bundlers refuse whatever the stake',
  async (name) => {
    const paymaster = families.get(name);
    if (paymaster === undefined) throw new Error(`${name} is not deployed.`);
    const named = bundler(lab).address;
    const abi = parseAbi(['function updateBundlerAllowlist(address[] bundlers, bool allowed)']);
    const data = encodeFunctionData({ abi, args: [[named], true] });
    await sendAs(lab.signer.address, { to: paymaster.contract.address, data, gas: 200_000n });
    const bound = { ...paymaster, contract: { ...paymaster.contract, allowedBundlers: [named] } };
    const { violations } = await checkOf(bound, 'SPONSORED', 'deployed', ['paymaster']);
    expect(violations).toEqual([{ rule: 'OP-011', entity: 'paymaster', what: 'ORIGIN' }]);
  },
);

describe('the checker', () => {
  const [entryPoint, sender, paymaster, other] = [0xe1, 0xa1, 0xb1, 0xc1].map(numberedAddress) as [
    Address,
    Address,
    Address,
    Address,
  ];
  const slot: Hex = `0x${'01'.padStart(64, '0')}`;
  const judge = (step: Partial<Step>, over: Partial<Circumstances> = {}) => {
    const steps = [{ entity: 'paymaster' as const, opcode: 'ADD', next: 'STOP', self: paymaster, ...step }];
    const circumstances = { staked: new Set<Entity>(), createsSender: false, hasCode: () => true, ...over };
    return findViolations({ entryPoint, sender, paymaster, steps }, circumstances).map(({ rule }) => rule);
  };
  const staked: Partial<Circumstances> = { staked: new Set<Entity>(['paymaster']) };
  const empty: Partial<Circumstances> = { hasCode: () => false };
  const creating: Partial<Circumstances> = { createsSender: true };

  test.each<[string, Partial<Step>, Partial<Circumstances>, readonly string[]]>([
    ['an opcode of the block', { opcode: 'TIMESTAMP' }, staked, ['OP-011']],
    ['the sender of the transaction', { opcode: 'ORIGIN' }, staked, ['OP-011']],
    ['gas that is looked at', { opcode: 'GAS', next: 'SUB' }, staked, ['OP-012']],
    ['gas that is passed on', { opcode: 'GAS', next: 'CALL' }, {}, []],
    ['a balance', { opcode: 'BALANCE', target: other }, {}, ['OP-080']],
    ['a balance with a stake', { opcode: 'BALANCE', target: other }, staked, []],
    ['a new contract of a factory', { entity: 'factory', opcode: 'CREATE2' }, creating, []],
    ['a new contract of a paymaster', { opcode: 'CREATE2' }, { ...staked, ...creating }, ['OP-031']],
    ['a call of no code', { opcode: 'CALL', target: other }, empty, ['OP-041']],
    ['the question for code that is not there', { opcode: 'EXTCODESIZE', next: 'ISZERO', target: other }, empty, []],
    ['a precompile', { opcode: 'STATICCALL', target: numberedAddress(1) }, empty, []],
    ['the precompile of passkeys', { opcode: 'STATICCALL', target: numberedAddress(0x100) }, empty, []],
    ['value for another contract', { opcode: 'CALL', target: other, value: 1n }, staked, ['OP-061']],
    ['a deposit', { entity: 'account', opcode: 'CALL', target: entryPoint, selector: '0xb760faf9', value: 1n }, {}, []],
    [
      'another call of the EntryPoint',
      { opcode: 'CALL', target: entryPoint, selector: '0x205c2878' },
      staked,
      ['OP-054'],
    ],
    ['its own storage', { opcode: 'SLOAD', slot }, {}, ['STO-021']],
    ['its own storage with a stake', { opcode: 'SSTORE', slot }, staked, []],
    ['storage of the account', { opcode: 'SSTORE', slot, self: sender }, {}, []],
    ['what belongs to the account', { opcode: 'SSTORE', slot, self: other, owner: sender }, {}, []],
    ['what belongs to a new account', { opcode: 'SLOAD', slot, self: other, owner: sender }, creating, ['STO-022']],
    ['storage of others, read with a stake', { opcode: 'SLOAD', slot, self: other }, staked, []],
    ['storage of others, written with a stake', { opcode: 'SSTORE', slot, self: other }, staked, ['STO-033']],
  ])('judges %s', (_, step, over, rules) => {
    expect(judge(step, over)).toEqual(rules);
  });
});
