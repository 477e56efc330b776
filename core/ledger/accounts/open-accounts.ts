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

/** The account of what a client has open at a tank for all senders. */
export const clientAccount = (tankId: number, client: string): string => `${openPrefix}${tankId}/${client}`;

type OfSender = { readonly sender: string; readonly client?: string | undefined };

/** Whose operation may end unpaid, and who requests it. */
type AtRisk = OfSender & { readonly paymasterId: string };

/**
 * The accounts of what open operations in token mode that are charged after the call can cost without being paid for: of a
 * paymaster, of one of its senders as far as a client asks for it, and of that client if there is one.
 */
export function riskAccounts({ paymasterId, sender, client }: AtRisk) {
  const own = `${openPrefix}risk/${paymasterId}`;
  return {
    paymaster: `risk/${paymasterId}`,
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

/** The accounts that count a hold until it ends, by their codes: `a` what it sets aside, `r` what of that may end unpaid. */
export function openAccountsOf(hold: OpenHold): readonly { readonly code: 'a' | 'r'; readonly account: AccountName }[] {
  const { tankId, client } = hold;
  const risks = riskAccounts(hold);
  const names = {
    a: [
      tankAccount(tankId),
      contractAccount(hold),
      senderAccount(tankId, hold),
      client === undefined ? undefined : clientAccount(tankId, client),
      hold.lastsLong ? lastingLongAccount(tankId) : undefined,
    ],
    r: hold.atRisk === undefined ? [] : [risks.paymaster, risks.sender, risks.client],
  };
  return (['a', 'r'] as const).flatMap((code) =>
    names[code].flatMap((name) => (name === undefined ? [] : [{ code, account: { name } }])),
  );
}
