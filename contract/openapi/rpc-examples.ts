/** EntryPoint 0.7. */
export const entryPoint = '0x0000000071727De22E5E9d8BAf0edAc6f37da032';

/** Base Sepolia. */
export const chainId = '0x14a34';

/** USDC on Base Sepolia. */
export const token = '0x036CbD53842c5426634e7929541eC2318f3dCF7e';

/** The context that sponsorship by the interface's own methods needs. */
export const sponsorshipContext = {
  calculateGasLimits: true,
  expiryDuration: 300,
  sponsorshipInfo: { webhookData: {}, smartAccountInfo: { name: 'INFINITISM', version: '1.0.0' } },
};

/** A SimpleAccount that calls `increment()`, before its gas is known. */
export const operation = {
  sender: '0x8ba1f109551bD432803012645Ac136ddd64DBA72',
  nonce: '0x0',
  callData:
    '0xb61d27f60000000000000000000000005fbdb2315678afecb367f032d93f642f64180aa3' +
    '0000000000000000000000000000000000000000000000000000000000000000' +
    '0000000000000000000000000000000000000000000000000000000000000060' +
    '0000000000000000000000000000000000000000000000000000000000000004' +
    'd09de08a00000000000000000000000000000000000000000000000000000000',
  callGasLimit: '0x0',
  verificationGasLimit: '0x0',
  preVerificationGas: '0x0',
  maxFeePerGas: '0x3b9aca00',
  maxPriorityFeePerGas: '0xf4240',
  signature: '0x',
};

/** An example operation with estimated gas limits. */
export const estimatedOperation = {
  ...operation,
  callGasLimit: '0x9c40',
  verificationGasLimit: '0x186a0',
  preVerificationGas: '0xc350',
};

/** The hash of an example operation. */
export const userOpHash = '0x7f2a1d0c9b8e7f6a5d4c3b2a190817263544536271809fae8d7c6b5a49382716';

/** An example operation for relaying: signed by its account, without fees. */
export const relayedOperation = { ...estimatedOperation, maxFeePerGas: '0x0', maxPriorityFeePerGas: '0x0' };
