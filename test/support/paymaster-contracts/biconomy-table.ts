import { type Address, getAddress } from 'viem';
import type { SponsorshipMode } from '../../../core/domain/sponsorship.ts';
import { mainnetPrices } from '../../../core/domain/unit-prices.ts';
import { paymasterContractFamilies } from '../../../core/evm/paymaster-contracts/families.ts';
import type { PaymasterContractFamily, SignedTerms } from '../../../core/evm/paymaster-contracts/family/family.ts';

/** A family of Biconomy's, the test contract that restates it, and what is known of it from its layout. */
export type BiconomyRow = {
  readonly name: string;
  readonly mode: SponsorshipMode;
  readonly source: 'SponsorshipPaymasters06' | 'TokenPaymasters06' | 'Paymasters07';
  readonly contractName: string;
  /** Length of the whole `paymasterAndData`. */
  readonly bytes: number;
  /** Fields of the terms that the signature is for. */
  readonly bound: readonly string[];
};

const window = ['validUntil', 'validAfter'];

export const biconomyTable: readonly BiconomyRow[] = [
  {
    name: 'biconomy-sponsorship-1.0.0',
    mode: 'SPONSORED',
    source: 'SponsorshipPaymasters06',
    contractName: 'Sponsorship100',
    bytes: 212,
    bound: ['fundingWallet'],
  },
  {
    name: 'biconomy-sponsorship-1.1.0',
    mode: 'SPONSORED',
    source: 'SponsorshipPaymasters06',
    contractName: 'Sponsorship110',
    bytes: 276,
    bound: [...window, 'fundingWallet'],
  },
  {
    name: 'biconomy-sponsorship-packed',
    mode: 'SPONSORED',
    source: 'SponsorshipPaymasters06',
    contractName: 'SponsorshipPacked',
    bytes: 121,
    bound: [...window, 'fundingWallet', 'priceMarkup'],
  },
  {
    name: 'biconomy-sponsorship-0.7',
    mode: 'SPONSORED',
    source: 'Paymasters07',
    contractName: 'Sponsorship07',
    bytes: 153,
    bound: [...window, 'fundingWallet', 'priceMarkup'],
  },
  {
    name: 'biconomy-token-0.6',
    mode: 'ERC20',
    source: 'TokenPaymasters06',
    contractName: 'Token06',
    bytes: 278,
    bound: [...window, 'token', 'exchangeRate'],
  },
  {
    name: 'biconomy-token-0.6-packed',
    mode: 'ERC20',
    source: 'TokenPaymasters06',
    contractName: 'Token06Packed',
    bytes: 138,
    bound: [...window, 'token', 'exchangeRate'],
  },
  {
    name: 'biconomy-token-0.7',
    mode: 'ERC20',
    source: 'Paymasters07',
    contractName: 'Token07',
    bytes: 170,
    bound: [...window, 'token', 'exchangeRate'],
  },
];

export function familyOf({ name }: Pick<BiconomyRow, 'name'>): PaymasterContractFamily {
  const family = paymasterContractFamilies.get(name);
  if (family === undefined) throw new Error(`no family ${name}`);
  return family;
}

/** What the test contract must read out of data made for these terms. Token contracts have the plain markup. */
export function termsOf({ bound }: BiconomyRow, signedTerms: SignedTerms): Record<string, unknown> {
  const values: Record<string, unknown> = { validUntil: signedTerms.validUntil, validAfter: signedTerms.validAfter };
  if (signedTerms.mode === 'SPONSORED') {
    Object.assign(values, {
      fundingWallet: getAddress(signedTerms.fundingWallet),
      priceMarkup: signedTerms.priceMarkup,
    });
  } else {
    Object.assign(values, { token: getAddress(signedTerms.token), exchangeRate: signedTerms.exchangeRate });
  }
  return Object.fromEntries(bound.map((field) => [field, values[field]]));
}

/** Terms for real operations: open for long, three tokens for a coin, no markup. */
export function openTerms(mode: SponsorshipMode, fundingWallet: Address, token: Address): SignedTerms {
  const times = { validUntil: 4_000_000_000, validAfter: 1_000 };
  return mode === 'SPONSORED'
    ? { mode, ...times, fundingWallet, priceMarkup: 1_000_000 }
    : { mode, ...times, token, exchangeRate: 3n * 10n ** 18n, tokenRecipient: fundingWallet, prices: mainnetPrices };
}
