import { accept, type Result, refuse } from '../../domain/result/result.ts';
import { measureCallsAlone } from '../../gas/simulation/probe-account.ts';
import { inTurn } from '../run/in-turn.ts';
import { bindsCallGas } from './calls-to-measure.ts';
import { type AskedForGas, mayRevert, type WithAccount, type WithGas } from './choose-gas.ts';
import type { MayRunModules } from './decide-account.ts';

/** The most `callGasLimit` that is signed, in gas. `fails` if the calls fail without the sender's own code. */
export type CallBound = { readonly max: bigint; readonly fails: boolean };

/** Margin in percent of what the calls need: bundlers add up to 30 % to the gas of their simulation. */
const marginPercent = 25n;
/**
 *
 *
 * Gas allowed for accounts' own work. Setting and clearing one slot takes 22,200 plus the call of a module, so a hook cannot
 * profit from an operation with few calls.
 */
const roomOfModules = 10_000n;
/**
 *
 *
 * Allowance for an account whose deployment is pending: its client cannot estimate yet and sends round limits. An attacker
 * could set and clear two more slots with it.
 */
const roomOfPending = 60_000n;

/**
 *
 *
 * A hook, or other code that a module deploys during validation, may set and clear storage: our estimate includes that gas,
 * the tank pays for it, and the chain refunds up to a fifth of the transaction's gas to the bundler. So an account with
 * modules only gets what its calls need without them. Undefined if no bound is needed.
 */
export async function boundCallGas(
  request: AskedForGas & WithGas & WithAccount & MayRunModules,
): Promise<Result<CallBound | undefined>> {
  const { calls, mayRunModules, isPending, seenAccount, chain, operation } = request;
  if (!mayRunModules || calls === undefined || !bindsCallGas(request)) return accept(undefined);
  const measured =
    seenAccount?.callsAlone === undefined
      ? await inTurn(request, () => measureCallsAlone(chain, operation.sender, calls))
      : accept(seenAccount.callsAlone);
  if (!measured.ok) return measured;
  const { made, gas } = measured.value;
  const room = isPending ? roomOfPending : roomOfModules;
  const needed = made || mayRevert(request) ? gas : 0n;
  return accept({ max: needed + (needed * marginPercent) / 100n + room, fails: !made });
}

const remedy = 'have the operator name bundlers for the chain';

/** The account needs more gas than its calls: its hooks, or other modules, use the rest. */
export function refuseNeededCallGas(needed: bigint, { max, fails }: CallBound): Result<never> {
  const why = fails
    ? 'Its calls fail without the code of the sender, so that no gas of theirs can be told from that of hooks.'
    : 'Hooks of the sender run with its calls, and can spend their gas.';
  return refuse({
    reason: 'ACCOUNT_NOT_KNOWN',
    message: `The operation needs callGasLimit ${needed}, and at most ${max} is signed for its calls. ${why} Uninstall them, or ${remedy}.`,
    field: 'callGasLimit',
    details: { asked: needed.toString(), max: max.toString() },
  });
}

/** Refuses a client's limit that is too high. */
export function refuseGivenCallGas(asked: bigint, { max }: CallBound): Result<never> {
  return refuse({
    reason: 'LIMIT_EXCEEDED',
    limitKind: 'GAS_LIMIT',
    message: `callGasLimit is ${asked} gas. At most ${max} is signed for these calls of an account that runs modules. Send less, or ${remedy}.`,
    field: 'callGasLimit',
    details: { limit: 'bundlers', asked: asked.toString(), max: max.toString() },
  });
}
