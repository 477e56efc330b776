import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { formatGrpcAddress, type GrpcAddress } from './address.ts';
import { CoreUnavailableError } from './core-unavailable-error.ts';
import { lookUpMs } from './grpc-limits.ts';

/** The address of one core; if it was resolved from a name, also the name in its certificate. */
export type CoreAddress = { readonly address: GrpcAddress; readonly host?: string };

/** The IP addresses of a host name. */
export type LookUp = (host: string) => Promise<readonly string[]>;

const lookUpHere: LookUp = async (host) => (await lookup(host, { all: true })).map(({ address }) => address);

/** Discovers the cores. */
type CoreFinder = {
  /** Resolves once they were found; rejects as unavailable while a name cannot be resolved. */
  found(): Promise<void>;
  close(): void;
};

/**
 *
 *
 * Calls `onFound` with the cores behind the addresses, by address as text: for a name, each IP address that it has.
 * Addresses without a name are reported once, immediately. Names are resolved with the first call of `found`, and then
 * repeatedly; a failed lookup changes nothing.
 */
export function findCores(
  addresses: readonly GrpcAddress[],
  onFound: (places: ReadonlyMap<string, CoreAddress>) => void,
  lookUp: LookUp = lookUpHere,
): CoreFinder {
  const tell = (places: readonly CoreAddress[]) =>
    onFound(new Map(places.map((location) => [formatGrpcAddress(location.address), location])));
  if (!addresses.some(hasName)) {
    tell(addresses.map((address) => ({ address })));
    return { found: () => Promise.resolve(), close: () => undefined };
  }
  const find = async () => tell((await Promise.all(addresses.map((address) => placesOf(address, lookUp)))).flat());
  let first: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let closed = false;

  async function begin(): Promise<void> {
    try {
      await find();
    } catch (cause) {
      first = undefined;
      throw new CoreUnavailableError('the host name of the core cannot be resolved', { cause, notBegun: true });
    }
    if (closed) return;
    timer = setInterval(() => void find().catch(() => undefined), lookUpMs);
    timer.unref();
  }

  return {
    found() {
      first ??= begin();
      return first;
    },
    close() {
      closed = true;
      clearInterval(timer);
    },
  };
}

function hasName(address: GrpcAddress): boolean {
  return address.kind === 'tcp' && isIP(address.host) === 0;
}

async function placesOf(address: GrpcAddress, lookUp: LookUp): Promise<readonly CoreAddress[]> {
  if (address.kind === 'unix' || !hasName(address)) return [{ address }];
  const numbers = await lookUp(address.host);
  return numbers.map((number) => ({ address: { ...address, host: number }, host: address.host }));
}
