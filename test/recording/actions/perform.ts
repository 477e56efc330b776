import type { Core } from '../../../core/domain/core.ts';
import type { Result } from '../../../core/domain/result/result.ts';
import { observe } from '../observe.ts';
import { accountOf } from '../world/keys.ts';
import type { Action } from './action.ts';
import { ask, send } from './ask.ts';
import { deposit, giveTokens, land, mark, reorg, revert, sendCoin } from './chain-actions.ts';
import { resolve } from './resolve.ts';
import type { RunState } from './run-state.ts';

/** Performs one line of a recording, and returns what came of it, with the calls of webhooks. */
export async function perform(state: RunState, line: number, action: Action): Promise<object> {
  const outcome = await outcomeOf(state, line, action);
  const heard = state.world.webhooks.take();
  return heard.length === 0 ? outcome : { ...outcome, heard };
}

async function outcomeOf(state: RunState, line: number, action: Action): Promise<object> {
  const { world } = state;
  switch (action.do) {
    case 'ask':
      return ask(state, line, action);
    case 'repeat':
      return repeat(state, line, action);
    case 'core':
      return callCore(state, action);
    case 'fund':
      return fund(state, action);
    case 'deposit':
      return deposit(state, action);
    case 'send-coin':
      return sendCoin(state, action);
    case 'land':
      return land(state, action);
    case 'tokens':
      return giveTokens(state, action);
    case 'mark':
      return mark(state);
    case 'reorg':
      return reorg(state, action);
    case 'revert':
      return revert(state, action);
    case 'observe':
      return observe(state);
    case 'restart':
      await world.restart(action.setting);
      return {};
    default:
      await set(state, action);
      return {};
  }
}

type Setting = Extract<Action, { readonly do: 'pass' | 'vendor' | 'bundler' | 'signer' | 'node' | 'prices' }>;

/** Time, and how the other parties behave from now on. */
async function set({ world }: RunState, action: Setting): Promise<void> {
  switch (action.do) {
    case 'pass':
      world.clock.pass(action.seconds);
      await world.time.mine();
      await world.follow();
      return world.clock.fire();
    case 'vendor':
      return world.vendor.behave(action.behaviour);
    case 'bundler':
      return world.bundler.behave(action.behaviour);
    case 'signer':
      return world.signer.behave(action.behaviour);
    case 'node':
      return world.node.behave({ failing: action.failing });
    case 'prices':
      return world.webhooks.servePrices(action.behaviour === 'served');
  }
}

async function repeat(
  state: RunState,
  line: number,
  { line: of, client }: Extract<Action, { readonly do: 'repeat' }>,
): Promise<object> {
  const sent = state.sent.get(of);
  if (sent === undefined) return { nothing: `line ${of} asked nothing` };
  const { clientAddress, ...request } = sent.request;
  const from = client ?? clientAddress;
  return send(state, line, {
    ...sent,
    request: { ...request, ...(from === undefined ? {} : { clientAddress: from }) },
  });
}

async function callCore(
  state: RunState,
  { call, input, as }: Extract<Action, { readonly do: 'core' }>,
): Promise<object> {
  const perform = state.world.core()[call] as (input: unknown) => Promise<Result<unknown>>;
  const given = resolve(state, input);
  const result = await perform(given);
  if (!result.ok) return { refusal: result.refusal };
  if (as !== undefined) keep(state, as, { call, input: given, value: result.value });
  return { answer: result.value };
}

function keep(
  { kept, paymasters }: RunState,
  name: string,
  { call, input, value }: { readonly call: keyof Core; readonly input: unknown; readonly value: unknown },
): void {
  kept.set(name, value);
  if (call !== 'createPaymaster') return;
  const { accountId } = input as { readonly accountId: string };
  const { paymasterId } = value as { readonly paymasterId: string };
  paymasters.set(name, { accountId, paymasterId });
  kept.set(name, { ...(value as object), accountId });
}

/** Chooses a funding wallet, whose key signs the newest message. */
async function fund(state: RunState, { of, wallet }: Extract<Action, { readonly do: 'fund' }>): Promise<object> {
  const owned = state.paymasters.get(of);
  if (owned === undefined) throw new Error(`There is no paymaster ${of}.`);
  const core = state.world.core();
  const message = await core.createFundingMessage(owned);
  if (!message.ok) return { refusal: message.refusal };
  const account = accountOf(wallet);
  const text = message.value as { readonly fundingMessage?: string; readonly message?: string };
  const signature = await account.signMessage({ message: text.fundingMessage ?? text.message ?? '' });
  const chosen = await core.setFundingWallet({ ...owned, signature, address: account.address });
  return chosen.ok ? { answer: chosen.value } : { refusal: chosen.refusal };
}
