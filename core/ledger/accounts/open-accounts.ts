import { type AccountName, openPrefix } from './ledger-accounts.ts';

/** The account of everything that a gas tank has set aside. */
export const tankAccount = (tankId: number): string => `tank/${tankId}`;

/** The account of everything that the tanks of a paymaster contract have set aside. */
export function contractAccount({
  chainId,
  contract,
}: {
  readonly chainId: number;
  readonly contract: string;
}): string {
  return `contract/${chainId}/${contract}`;
}

/** The account of a tank's holds that last long: they count together, no matter who requested them. */
export const lastingLongAccount = (tankId: number): string => `long/${tankId}`;

/**
 * The account of what one client has open at a tank for a sender. A signature can be requested without a key of the account,
 * so what strangers request for a sender does not count against its owner.
 */
export function senderAccount(tankId: number, { client = '', sender }: OfSender): string {
  return `${openPrefix}${tankId}/${client}/${sender}`;
}

/** The client of a {@link senderAccount}; undefined of another account, and without a client. */
export function clientOfAccount(
  name: string,
  { tankId, sender }: { readonly tankId: number; readonly sender: string },
): string | undefined {
  const [before, after] = [`${openPrefix}${tankId}/`, `/${sender}`];
  if (!name.startsWith(before) || !name.endsWith(after)) return undefined;
  const client = name.slice(before.length, -after.length);
  return client === '' ? undefined : client;
}

/** The account of what a client has open at a tank for all senders. */
export const clientAccount = (tankId: number, client: string): string => `${openPrefix}${tankId}/${client}`;

type OfSender = { readonly sender: string; readonly client?: string | undefined };

/** Whose operation may end unpaid, and who requests it. */
type AtRisk = OfSender & { readonly paymasterId: string };

/**
 * The accounts of what operations in token mode that are charged after the call can cost without being paid for: of a paymaster,
 * with what they have cost within a day; of one of its senders as far as a client asks for it, and of that client if there is one,
 * what is open; and of the sender what its operations have cost within a day, no matter who requested them.
 */
export function riskAccounts({ paymasterId, sender, client }: AtRisk) {
  const own = `${openPrefix}risk/${paymasterId}`;
  return {
    paymaster: `risk/${paymasterId}`,
    unpaid: `${openPrefix}unpaid/${paymasterId}/${sender}`,
    sender: `${own}/${client ?? ''}/${sender}`,
    client: client === undefined ? undefined : `${own}/${client}`,
  };
}

/** What of a live hold decides which accounts have it open. */
type OpenHold = AtRisk & {
  readonly tankId: number;
  readonly chainId: number;
  readonly contract: string;
  readonly lastsLong: boolean;
  readonly atRisk: bigint | undefined;
};

const openCodes = ['a', 'R', 'r', 'p'] as const;

/** The accounts that have a hold open, with the codes of {@link Legs} for what they count of it. */
export function openAccountsOf(
  hold: OpenHold,
): readonly { readonly code: (typeof openCodes)[number]; readonly account: AccountName }[] {
  const { tankId, client } = hold;
  const risks = riskAccounts(hold);
  const isAtRisk = hold.atRisk !== undefined;
  const names = {
    a: [
      tankAccount(tankId),
      contractAccount(hold),
      senderAccount(tankId, hold),
      client === undefined ? undefined : clientAccount(tankId, client),
      hold.lastsLong ? lastingLongAccount(tankId) : undefined,
    ],
    R: isAtRisk ? [risks.paymaster] : [],
    r: isAtRisk ? [risks.sender, risks.client] : [],
    p: isAtRisk ? [risks.unpaid] : [],
  };
  return openCodes.flatMap((code) =>
    names[code].flatMap((name) => (name === undefined ? [] : [{ code, account: { name } }])),
  );
}
