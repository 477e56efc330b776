import { codeMarkOf, implementationsOf } from '../find-in-catalogue.ts';
import { type AccountCodeKind, addressInCode, type ReadCreation } from '../known-code.ts';

/** `createAccount(address owner, uint256 salt)`: two words. */
const createAccount = /^0x5fbfb9cf[0-9a-f]{128}$/i;

/**
 * The account of `@account-abstraction/contracts`: the implementation published next to it, and those that its factories
 * deploy. A factory delegates to the implementation deployed by its constructor, whose address is in the factory's code at
 * these offsets.
 */
function simpleAccount(version: string, implementationAt: readonly [number, ...number[]]): AccountCodeKind {
  const name = `SimpleAccount ${version}`;
  const readCreation: ReadCreation = ({ code, callData }) => {
    if (!createAccount.test(callData)) return undefined;
    const [implementation, ...again] = implementationAt.map((offset) => addressInCode(code, offset));
    return implementation === undefined || again.some((other) => other !== implementation)
      ? undefined
      : { implementation };
  };
  return {
    name,
    decoders: [{ name: 'INFINITISM', version: '1.0.0' }],
    implementations: implementationsOf(name),
    factories: [{ mark: codeMarkOf(name, 'SimpleAccountFactory'), readCreation }],
  };
}

export const simpleAccount06 = simpleAccount('0.6', [75, 276, 600]);
export const simpleAccount07 = simpleAccount('0.7', [75, 276, 600]);
/** From this version on, the factory also has the EntryPoint's SenderCreator in its code. */
export const simpleAccount08 = simpleAccount('0.8', [230, 893, 1247]);
/** The one of release candidate 0.9.0-rc.1, the only 0.9 on npm. */
export const simpleAccount09 = simpleAccount('0.9', [230, 895, 1206]);

const decoders = [{ name: 'SIMPLE_7702', version: '1.0.0' }];

/** Simple7702Account, with its EntryPoint in its code, at the address that viem expects. */
export const simple7702Account: AccountCodeKind = {
  name: 'Simple7702Account 0.8',
  decoders,
  implementations: implementationsOf('Simple7702Account 0.8'),
};

/** Simple7702Account of 0.9.0-rc.1, with the EntryPoint as an argument, at the address that viem expects for 0.9. */
export const simple7702Account09: AccountCodeKind = {
  name: 'Simple7702Account 0.9',
  decoders,
  implementations: implementationsOf('Simple7702Account 0.9'),
};
