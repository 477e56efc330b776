import { sql, type Transaction } from 'kysely';
import type { Refusal } from '../../domain/result/refusal.ts';
import type { Ruling } from '../../policies/rules/ruling.ts';
import type { Database } from '../../store/database.ts';
import { fixedStatement } from '../../store/statements/fixed-statement.ts';
import { runTogether } from '../../store/statements/run-together.ts';
import { type HoldRequest, operationKeyOf, type TokenPayment } from './hold-request.ts';

/** Grants read for one request, so that no sender makes it slow. Those left out are not counted. */
const maxRead = 200;

/** The most that open operations may take of a token, by operation key, for each sender, client, chain and token. In base units. */
export type OpenTokenPayments = Map<string, Map<string, bigint>>;

type Paying = HoldRequest & { readonly payment: { readonly tokens: TokenPayment } };

function isPaying(request: HoldRequest): request is Paying {
  return request.payment.tokens !== undefined;
}

/** Only where the contract collects after the call: before it, the EntryPoint refuses who cannot pay, at no one's cost. */
function isChecked(request: HoldRequest): request is Paying {
  return isPaying(request) && request.unpaidBudget !== undefined;
}

/** As far as one client has requested them: strangers can have operations of any sender signed. */
function payerOf({ tank, sender, caps, payment }: Paying): string {
  return `${tank.chainId}:${caps?.client ?? ''}:${sender}:${payment.tokens.token}`;
}

/** Reads what the senders of a batch have open that pays in the same token, at any paymaster. `now` in Unix seconds. */
export async function readOpenTokenPayments(
  transaction: Transaction<Database>,
  requests: readonly HoldRequest[],
  now: number,
): Promise<OpenTokenPayments> {
  const payers = new Map(requests.filter(isChecked).map((request) => [payerOf(request), request]));
  const answers = await runTogether(transaction, ...[...payers.values()].map((request) => openOf(request, now)));
  return new Map(
    [...payers.keys()].map((payer, index) => {
      const open = new Map<string, bigint>();
      for (const { operation_key: operationKey, token_most: most } of answers[index] ?? [])
        addTo(open, operationKey, BigInt(most ?? 0));
      return [payer, open];
    }),
  );
}

/** Of several signatures with one nonce only one can land: the most expensive counts. */
function addTo(open: Map<string, bigint>, operationKey: string, most: bigint): void {
  if (most > (open.get(operationKey) ?? 0n)) open.set(operationKey, most);
}

/** Whether the sender can pay for the request in addition to the operations that are open, those of its own nonce aside. */
export function decideTokenPayment(
  payments: OpenTokenPayments,
  request: HoldRequest,
): { readonly ruling: Ruling; readonly openPayments: readonly bigint[] } | undefined {
  if (!isChecked(request)) return undefined;
  const { token, most, balance, landed } = request.payment.tokens;
  const open = [...(payments.get(payerOf(request)) ?? [])].filter(
    ([operationKey]) => operationKey !== operationKeyOf(request) && landed?.has(operationKey) !== true,
  );
  const taken = open.reduce((sum, [, one]) => sum + one, 0n);
  const ruling: Ruling = { rule, finding: ['open-payments', open.length, taken, most, balance] };
  // The payment went through in a trial: a smaller balance is none that this token tells.
  if (open.length === 0 || taken + most <= balance || balance < most) return { ruling, openPayments: [] };
  const openPayments = open.map(([operationKey]) => BigInt(operationKey.slice(operationKey.indexOf(':') + 1)));
  return { ruling: { ...ruling, refusal: refuseOpen({ token, most, balance, taken }) }, openPayments };
}

/** Records a hold for later requests of the same batch. */
export function noteTokenPayment(payments: OpenTokenPayments, request: HoldRequest): void {
  if (!isPaying(request)) return;
  const open = payments.get(payerOf(request));
  if (open !== undefined) addTo(open, operationKeyOf(request), request.payment.tokens.most);
}

const rule = 'token-payment' as const;

function refuseOpen({
  token,
  most,
  balance,
  taken,
}: Omit<TokenPayment, 'landed'> & { readonly taken: bigint }): Refusal {
  return {
    reason: 'TOKEN_PAYMENT_FAILS',
    message: `The sender has ${balance} base units of the token. This operation can cost up to ${most}, and other signed operations of the sender that have neither landed nor expired up to ${taken}.`,
    details: {
      token,
      needed: most.toString(),
      balance: balance.toString(),
      open: taken.toString(),
      lacks: 'balance',
      frees: 'Land the signed operations, wait until they expire, or add tokens.',
    },
  };
}

function openOf({ tank, sender, caps, payment }: Paying, now: number) {
  const { chainId } = tank;
  const { token } = payment.tokens;
  return openTerms({ chainId, client: caps?.client ?? '', token, now, from: `${sender}:`, until: `${sender};` });
}

type Asked = Readonly<Record<'client' | 'token' | 'from' | 'until', string>> & {
  readonly chainId: number;
  readonly now: number;
};

// An operation key starts with its sender. The index on operation keys contains live holds only: the planner uses it when the state is a
// literal.
const openTerms = fixedStatement<Asked>()(({ db, value }) =>
  db
    .selectFrom('holds')
    .innerJoin('tanks', 'tanks.tank_id', 'holds.tank_id')
    .innerJoin('signed_terms', 'signed_terms.hold_id', 'holds.hold_id')
    .select(['holds.operation_key', 'signed_terms.token_most'])
    .where('holds.state', '=', sql.lit('live'))
    .where('holds.operation_key', '>=', value('from'))
    .where('holds.operation_key', '<', value('until'))
    .where(sql<string>`coalesce(holds.client, '')`, '=', value('client'))
    .where('tanks.chain_id', '=', value('chainId'))
    .where('signed_terms.token', '=', value('token'))
    .where('signed_terms.valid_until', '>', value('now'))
    .limit(maxRead),
);
