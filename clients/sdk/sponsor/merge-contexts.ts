import type { EitherContext, PaymasterContext } from './sponsorship-context.ts';

/** The fields of a context that determine who pays. */
const payers = ['mode', 'token', 'tokenInfo', 'permit'] as const;

type Fields = Readonly<Record<string, unknown>>;

/**
 * The context of an operation on top of that of all operations: fields that only one has stay, those that both have are the
 * operation's. Where the operation says who pays, nothing that the other says of it stays.
 *
 * @example
 * mergeContexts({ ticket, sponsorshipInfo: { webhookData: { user: 'u-1' } } }, { token: usdc });
 * // { ticket, sponsorshipInfo: { webhookData: { user: 'u-1' } }, token: usdc }
 */
export function mergeContexts(ofAll: unknown, own: unknown): PaymasterContext | undefined {
  if (!isFields(own)) return isFields(ofAll) ? ofAll : undefined;
  if (!isFields(ofAll)) return own;
  const saysWhoPays = payers.some((field) => own[field] !== undefined);
  const kept = saysWhoPays ? without(ofAll, payers) : ofAll;
  const info = mergeInfo(kept.sponsorshipInfo, own.sponsorshipInfo);
  return { ...kept, ...withoutUndefined(own), ...(info === undefined ? {} : { sponsorshipInfo: info }) };
}

/** The fields of a context that do not depend on who pays. */
export function withoutPayer(context: PaymasterContext | undefined): EitherContext {
  return context === undefined ? {} : without(context, payers);
}

function mergeInfo(ofAll: unknown, own: unknown): Fields | undefined {
  if (!isFields(ofAll)) return isFields(own) ? own : undefined;
  return isFields(own) ? { ...ofAll, ...withoutUndefined(own) } : ofAll;
}

function without(fields: Fields, names: readonly string[]): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));
}

function withoutUndefined(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The contexts of created paymasters: `sponsorOrPay` builds its own, which must include them. */
const contexts = new WeakMap<object, PaymasterContext>();

/** Records the context of a paymaster. */
export function rememberContext(paymaster: object, context: PaymasterContext | undefined): void {
  if (context !== undefined) contexts.set(paymaster, context);
}

/** The default context of a bundler client's operations: that of its paymaster, merged with its own. */
export function contextOfClient(bundlerClient: object): PaymasterContext | undefined {
  const paymaster = 'paymaster' in bundlerClient ? bundlerClient.paymaster : undefined;
  const ofPaymaster = typeof paymaster === 'object' && paymaster !== null ? contexts.get(paymaster) : undefined;
  return mergeContexts(ofPaymaster, 'paymasterContext' in bundlerClient ? bundlerClient.paymasterContext : undefined);
}
