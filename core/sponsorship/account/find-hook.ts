import type { UserOperation } from '../../domain/user-operation.ts';
import type { AccountReading } from '../../node/account-codes/account-reading.ts';

type Known = Extract<AccountReading, { state: 'deployed' | 'created' }>;

/**
 * Why a hook of the owner's choice may run with the calls, as a sentence; undefined where none does. A hook may set and clear
 * storage: our estimate counts that gas, the tank pays for it, and the chain returns up to a fifth of the transaction's to the
 * bundler, who may be the sender.
 */
export function findHook(reading: Known, { callData }: Pick<UserOperation, 'callData'>): string | undefined {
  const { hook } = reading.kind;
  if (hook === undefined) return undefined;
  if ('unseen' in hook) return describe(reading, 'Hooks of the owner may run with the calls of the sender');
  if ('slot' in hook) {
    const there = reading.state === 'deployed' ? reading.hook : undefined;
    return there && describe(reading, `The hook ${there} runs with the calls of the sender`, 'Uninstall the hook');
  }
  return callData.toLowerCase().startsWith(hook.selector)
    ? describe(
        reading,
        'The callData begins with executeUserOp, which runs a hook of the sender',
        'Send a plain execute',
      )
    : undefined;
}

function describe({ kind }: Known, what: string, remedy?: string): string {
  const fix = remedy === undefined ? 'Have' : `${remedy}, or have`;
  return `${what}, a ${kind.name}, and can spend their gas. ${fix} the operator name bundlers for the chain.`;
}
