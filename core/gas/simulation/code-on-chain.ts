import { type Address, concat, getCreate2Address, type Hex, numberToHex, size } from 'viem';
import { deploymentProxy, zeroSalt } from '../../evm/deployment-proxy.ts';

/**
 * Creation code that leaves exactly this code on chain. PUSH2 size, DUP1, PUSH1 12, PUSH1 0, CODECOPY, PUSH1 0,
 * RETURN, and the code from byte 12 on.
 */
export function creationCodeOf(code: Hex): Hex {
  return concat(['0x61', numberToHex(size(code), { size: 2 }), '0x80600c6000396000f3', code]);
}

const addresses = new Map<Hex, Address>();

/**
 * Where the code stands once anybody has deployed it through the proxy: everybody can tell, and no one can put other
 * code there.
 */
export function addressOnChain(code: Hex): Address {
  let address = addresses.get(code);
  if (address === undefined) {
    address = getCreate2Address({ from: deploymentProxy, salt: zeroSalt, bytecode: creationCodeOf(code) });
    addresses.set(code, address);
  }
  return address;
}

/** Code that runs that of another address as its own (ERC-1167). */
export function delegatingCode(to: Address): Hex {
  return concat(['0x363d3d373d3d3d363d73', to, '0x5af43d82803e903d91602b57fd5bf3']);
}
