import type { ChainConfig } from '../../domain/core-config.ts';

/**
 * The settings that affect money on a chain, as text: all processes at one database must agree on them. Each has its
 * user-visible name.
 */
export function moneySettings(config: ChainConfig): string {
  const { confirmations, startBlock, entryPoints, paymasterContracts, tokens, relay, upstream } = config;
  const settings = new Map<string, string>([
    ['confirmations', String(confirmations)],
    ['startBlock', String(startBlock)],
  ]);
  if (upstream !== undefined) {
    const { usdMicrosPerDay, usdMicrosPerMonth } = upstream.budget;
    settings.set('the upstream budget', `${usdMicrosPerDay} in a day, ${usdMicrosPerMonth} in a month (USD micros)`);
  }
  for (const [version, address] of Object.entries(entryPoints)) settings.set(`EntryPoint ${version}`, lower(address));
  for (const { version, family, address, treasury, priceMarkup, premiumBasisPoints } of paymasterContracts) {
    const name = `paymaster contract ${version}`;
    settings.set(`the family of ${name}`, family);
    settings.set(`the address of ${name}`, lower(address));
    settings.set(`the treasury of ${name}`, lower(treasury));
    if (priceMarkup !== undefined) settings.set(`the priceMarkup of ${name}`, String(priceMarkup));
    if (premiumBasisPoints !== undefined) settings.set(`the premium of ${name}`, String(premiumBasisPoints));
  }
  if (relay !== undefined) {
    settings.set('the EntryPoint of the relay', relay.entryPoint);
    settings.set('the executors of the relay', relay.executors.map(lower).sort().join(', '));
  }
  for (const { symbol, address, decimals, premiumBasisPoints } of tokens) {
    settings.set(`the address of ${symbol}`, lower(address));
    settings.set(`the decimals of ${symbol}`, String(decimals));
    settings.set(`the premium of ${symbol}`, String(premiumBasisPoints));
  }
  return JSON.stringify(Object.fromEntries([...settings].sort(([one], [other]) => (one < other ? -1 : 1))));
}

/** The differences, as a sentence; undefined if no process keeps the ledger yet. */
export function describeDifference(own: string, kept: string | undefined): string | undefined {
  if (kept === undefined || own === kept) return undefined;
  const [here, there] = [read(own), read(kept)];
  const names = [...new Set([...here.keys(), ...there.keys()])].filter((name) => here.get(name) !== there.get(name));
  const differences = names.map(
    (name) => `${name} is ${here.get(name) ?? 'not set'} here and ${there.get(name) ?? 'not set'} there`,
  );
  return `this process is configured differently than the one that keeps the ledger: ${differences.join(', ')}`;
}

/** Parses the result of `moneySettings`, possibly of another version. */
function read(settings: string): ReadonlyMap<string, string> {
  return new Map(Object.entries(JSON.parse(settings) as Record<string, string>));
}

function lower(address: string): string {
  return address.toLowerCase();
}
