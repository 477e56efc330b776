/** A contract to register: two overloads, one more method, one that changes nothing. */
export const sampleAddress = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';

function method(name: string, types: readonly string[], stateMutability: string) {
  const inputs = types.map((type) => ({ name: '', type }));
  return { type: 'function', name, inputs, outputs: [], stateMutability };
}

export const sampleAbi = JSON.stringify([
  method('transfer', ['address', 'uint256'], 'nonpayable'),
  method('transfer', ['address'], 'nonpayable'),
  method('buy', [], 'payable'),
  method('owner', [], 'view'),
]);

/** As a body of the interface's smart contract creation. */
export const sampleContract = {
  name: 'Shop token',
  address: sampleAddress,
  abi: sampleAbi,
  whitelistedMethods: ['transfer'],
};
