import { type Address, encodeFunctionData } from 'viem';
import type { GasLimits } from '../../core/domain/user-operation.ts';
import { depositOf, setTokenBalance, tokenBalance } from '../support/chain/chain-lab.ts';
import type { RobberAccount } from './accounts/robber-account.ts';
import { ask, carriesAuthorization, hashOf, type Question } from './asking/ask.ts';
import { draftOperation } from './asking/draft-operation.ts';
import { land, type Won } from './landing/land.ts';
import type { OpenCell } from './open-cell.ts';
import { honestAsking, honestPlan, type Landing, type OperationFields, type Plan } from './plan/plan.ts';
import { targetAbi } from './world.ts';

/** What became of a plan. Wei for each operation. */
export type Outcome = {
  readonly state: 'refused' | 'not landed' | 'landed';
  /** The reason of the service. */
  readonly refusal?: string;
  /** What the attacker has more afterwards; negative for who has paid for nothing. */
  readonly gain: bigint;
  /** What the tank has less. */
  readonly loss: bigint;
  /** What the attacker's bundler gains for the bundle. */
  readonly bundled: bigint;
  /** What the contract's deposit loses: the tank's loss before the tokens that the sender has paid. */
  readonly deposited: bigint;
  /** Plain operations in the bundle: of an account whose code the service does not know it signs none. */
  readonly company: number;
  /** Whether the tank paid although a call reverted that could be simulated before. */
  readonly paidReverted: boolean;
  /** Whether the tank paid an account whose code the service does not know. */
  readonly paidUnknown: boolean;
};

const nothing = { company: 0, gain: 0n, loss: 0n, bundled: 0n, deposited: 0n, paidReverted: false, paidUnknown: false };
/** Wei that one base unit of the token is worth by the prices of the service: 1 USD of 6 decimals, and 2,000 USD for a coin. */
const weiOfTokenUnit = 500_000_000n;

/** Asks the service as the plan says, and lands what it signs. */
export async function tryPlan(open: OpenCell, plan: Plan): Promise<Outcome> {
  const won: Won[] = [];
  const questions = await draftAll(open, plan);
  await leaveWork(open, questions, plan.operation.slots);
  for (const answer of await askAll(open, questions, plan)) {
    if ('refusal' in answer) return { ...nothing, state: 'refused', refusal: answer.refusal };
    // Within a second two tenants sign the same bytes, and either may pay.
    if (open.signedElsewhere.has(hashOf(open, answer)))
      return { ...nothing, state: 'refused', refusal: 'signed by both' };
    won.push(answer);
  }
  const plain = await plainCompany(open, plan);
  const landed = await landAndCompare(open, [...won, ...plain], plan);
  const outcome = { ...landed, company: plain.length };
  // The others of an account that is yet to be made cannot be simulated, so their calls may revert.
  return plan.operation.account === 'first' ? { ...outcome, paidReverted: false } : outcome;
}

/** Has the sponsored method do work for the accounts, where it is one that does. */
async function leaveWork(
  { cell, world }: OpenCell,
  operations: readonly Pick<Question, 'account'>[],
  slots: number,
): Promise<void> {
  if (cell.method !== 'settle') return;
  for (const sender of new Set(operations.map(({ account }) => account.sender))) {
    const args = [sender, BigInt(slots)] as const;
    const data = encodeFunctionData({ abi: targetAbi, functionName: 'leaveWork', args });
    await world.attacker.send({ to: world.target, data });
  }
}

/** The operation that makes the account is asked for first, honestly: what the others are asked with is refused where there is an estimate. */
async function askAll(open: OpenCell, questions: readonly Question[], { operation, before }: Plan) {
  const askOne = async (question: Question): Promise<Won | { readonly refusal: string }> => {
    for (const asking of before) await ask(open, { ...question, asking });
    const { signed, refusal = 'unknown' } = await ask(open, question);
    return signed === undefined ? { refusal } : { ...signed, account: question.account, fresh: question.fresh };
  };
  const [first, ...rest] = questions;
  if (operation.account !== 'first' || first === undefined) return Promise.all(questions.map(askOne));
  const made = await askOne({ ...first, asking: honestAsking });
  return [made, ...(await Promise.all(rest.map(askOne)))];
}

async function draftAll(open: OpenCell, { operation: fields, operations, before, asking }: Plan): Promise<Question[]> {
  const shared = fields.account === 'first' ? await openFresh(open) : open.standing;
  const givesLimits = open.cell.isRelayed || [...before, asking].some(({ given }) => given !== undefined);
  return Promise.all(
    Array.from({ length: operations }, async (_, index) => {
      const account = fields.account === 'each' ? await openFresh(open) : shared;
      const fresh = fields.account === 'each' || (fields.account === 'first' && index === 0);
      const number = { nonceKey: open.nextNumber(), makes: fresh || fields.account === 'again' };
      const operation = await draftOperation(open, account, fields, number);
      const question = { account, operation, asking, fresh };
      const estimate = givesLimits ? await estimateOf(open, question, fields) : undefined;
      return estimate === undefined ? question : { ...question, estimate };
    }),
  );
}

/** Operations of the account that is there, with the same calls and prices. */
async function plainCompany(open: OpenCell, { operation, landing: { company } }: Plan): Promise<readonly Won[]> {
  if (company === 0) return [];
  const { calls, tipPercent, feePercent } = operation;
  const fields = { ...honestPlan.operation, calls, tipPercent, feePercent };
  const won: Won[] = [];
  for (const question of await draftAll(open, { ...honestPlan, operation: fields, operations: company })) {
    const { signed } = await ask(open, question);
    if (signed !== undefined) won.push({ ...signed, account: question.account, fresh: false });
  }
  return won;
}

/** An account that has tokens where they are needed: they are set up once, for the one account. */
async function openFresh({ cell, world, token, standing, nextNumber }: OpenCell): Promise<RobberAccount> {
  return token === undefined ? cell.account.open(world, nextNumber()) : standing;
}

/** What the service estimates for such an operation. One of an account that is yet to be made has none: that of the standing account is used. */
async function estimateOf(open: OpenCell, question: Question, fields: OperationFields): Promise<GasLimits | undefined> {
  const key = JSON.stringify(fields);
  if (!open.estimates.has(key)) {
    const isFirst = fields.account === 'first';
    const number = { nonceKey: open.nextNumber(), makes: false };
    const asked = isFirst
      ? { account: open.standing, operation: await draftOperation(open, open.standing, fields, number), fresh: false }
      : question;
    const method = open.cell.isRelayed ? 'pm_getPaymasterStubData' : honestAsking.method;
    const { signed } = await ask(open, { ...asked, asking: { ...honestAsking, method } });
    open.estimates.set(key, signed?.operation.gas);
  }
  return open.estimates.get(key);
}

async function landAndCompare(
  open: OpenCell,
  won: readonly Won[],
  { landing }: Plan,
): Promise<Omit<Outcome, 'company'>> {
  const senders = [...new Set(won.map(({ account }) => account.sender))];
  const before = await readBalances(open, senders);
  const had = landing.tokens === 'gone' ? await takeTokens(open) : 0n;
  if (landing.state === 'changed') await leaveWork(open, won, 0);
  const accounts = [...new Set(won.map(({ account }) => account))];
  for (const account of accounts) await account.change?.();
  const { receipt, succeeded, reverted } = await land(open, won, landing);
  if (had > 0n) await giveTokens(open, had);
  const after = await readBalances(open, senders);
  const count = BigInt(won.length);
  const outcome = {
    gain: (after.attacker - before.attacker) / count,
    loss: (before.tank - after.tank) / count,
    bundled: (after.coin - before.coin) / count,
    deposited: (before.deposit - after.deposit) / count,
  };
  const isLanded = receipt.status === 'success' && succeeded + reverted > 0;
  await settleAgain(open, won, landing.authorization === 'always');
  for (const account of accounts) await account.restore?.();
  return {
    ...outcome,
    state: isLanded ? 'landed' : 'not landed',
    paidReverted: isLanded && reverted > 0,
    paidUnknown: isLanded && won.some((one) => runsUnknown(open, one, landing)),
  };
}

/** Whether the operation ran code that the service does not know: an authorization that goes along gives the account other code. */
function runsUnknown({ cell }: OpenCell, won: Won, { authorization }: Landing): boolean {
  return !cell.account.isKnown && carriesAuthorization(authorization, won) === undefined;
}

/** An authorization of the bundle may have given the account other code. */
async function settleAgain({ cell, standing }: OpenCell, won: readonly Won[], isCarried: boolean): Promise<void> {
  if (isCarried && !cell.account.isKnown && won.some(({ account }) => account === standing)) await standing.settle?.();
}

/** Leaves the account without tokens, and says how many it had. */
async function takeTokens({ world: { devnet }, token, standing }: OpenCell): Promise<bigint> {
  if (token === undefined) return 0n;
  const had = await tokenBalance(devnet, token, standing.sender);
  await setTokenBalance(devnet, token, { owner: standing.sender, amount: 0n });
  return had;
}

async function giveTokens({ world: { devnet }, token, standing }: OpenCell, amount: bigint): Promise<void> {
  if (token === undefined) return;
  const left = await tokenBalance(devnet, token, standing.sender);
  await setTokenBalance(devnet, token, { owner: standing.sender, amount: left + amount });
}

/** All that the attacker owns, and all that belongs to the tank. */
async function readBalances({ world, wallet, cell, tank, token }: OpenCell, senders: readonly Address[]) {
  const { devnet } = world;
  const { version } = cell.account;
  const { executor } = world.relay;
  const tokens = (owner: Address) => (token === undefined ? 0n : tokenBalance(devnet, token, owner));
  const [coin, deposit, received, ...own] = await Promise.all([
    devnet.client.getBalance({ address: wallet.address }),
    // The executors pay what is relayed, and the tank pays them back no more than that.
    cell.isRelayed
      ? devnet.client.getBalance({ address: executor.address })
      : depositOf(devnet, version, tank.contract),
    tokens(devnet.tokenRecipient),
    ...senders.flatMap((sender) => [
      devnet.client.getBalance({ address: sender }),
      depositOf(devnet, version, sender),
      Promise.resolve(tokens(sender)).then((units) => units * weiOfTokenUnit),
    ]),
  ]);
  return {
    coin,
    deposit,
    attacker: own.reduce((sum, amount) => sum + amount, coin),
    tank: deposit + received * weiOfTokenUnit,
  };
}
