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

/** An account that has a hold open, with the code of {@link Legs} for what it counts of it. */
type OpenAccount = { readonly code: 'a' | 'R' | 'r' | 'p'; readonly account: AccountName };

/** The accounts that have a hold open. */
export function openAccountsOf(hold: OpenHold): readonly OpenAccount[] {
  const { tankId, client } = hold;
  const accounts: OpenAccount[] = [];
  const add = (code: OpenAccount['code'], name: string) => accounts.push({ code, account: { name } });
  add('a', tankAccount(tankId));
  add('a', contractAccount(hold));
  add('a', senderAccount(tankId, hold));
  if (client !== undefined) add('a', clientAccount(tankId, client));
  if (hold.lastsLong) add('a', lastingLongAccount(tankId));
  if (hold.atRisk === undefined) return accounts;
  const risks = riskAccounts(hold);
  add('R', risks.paymaster);
  add('r', risks.sender);
  if (risks.client !== undefined) add('r', risks.client);
  add('p', risks.unpaid);
  return accounts;
}
