import type { LookupFunction } from 'node:net';
import { omitAbsent } from '@tollfree/contract/omit-absent';
import { buildConnector } from 'undici';
import { type AddressRules, literalAddress, reachableAddresses } from './resolve-host.ts';

/**
 * The host has no allowed address. "None" and "none allowed" are the same error, so that no one can find out which names a
 * private network has.
 */
class NoReachableAddressError extends Error {
  override readonly name = 'NoReachableAddressError';
}

/** `reachableAddresses` in the form of `dns.lookup`, so that a socket can only be opened to an address that passed. */
function guardedLookup(rules: AddressRules): LookupFunction {
  return (hostname, options, callback) => {
    void reachableAddresses(hostname, rules).then((addresses) => {
      const found = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
      const first = found[0];
      if (first === undefined) callback(new NoReachableAddressError('no address that may be called'), '');
      else if (options.all) callback(null, found);
      else callback(null, first.address, first.family);
    });
  };
}

/**
 * How webhook sockets are opened. The address rules apply three times: to a literal address before anything is sent (sockets
 * skip the lookup for those), to every address of a name, and to the actual peer.
 *
 * @param rules their `timeoutMs` bounds lookup, TCP and TLS together.
 * @param ca PEM certificates to trust instead of the usual authorities.
 */
export function createGuardedConnector(rules: AddressRules, ca?: string): buildConnector.connector {
  const connect = buildConnector({
    timeout: rules.timeoutMs,
    lookup: guardedLookup(rules),
    rejectUnauthorized: true,
    ...omitAbsent({ ca }),
  });

  return (target, callback) => {
    const literal = literalAddress(target.hostname);
    if (literal !== undefined && !rules.isAllowed(literal)) {
      queueMicrotask(() => callback(new NoReachableAddressError('address that may not be called'), null));
      return;
    }
    connect(target, (...[error, socket]) => {
      if (error !== null) {
        callback(error, null);
      } else if (!rules.isAllowed(socket.remoteAddress ?? '')) {
        socket.destroy();
        callback(new NoReachableAddressError('connected to an address that is not allowed'), null);
      } else {
        callback(null, socket);
      }
    });
  };
}
