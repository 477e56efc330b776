import { maxAbiBytes } from '@tollfree/contract/limits';
import { expect, test } from 'vitest';
import { createRegisteredErrors } from '../../core/paymasters/contract-methods.ts';
import { accepted, newPaymaster, startManagement } from '../support/core/start-management.ts';

const addressOf = (number: number) => `0x${number.toString(16).padStart(40, '0')}`;

/** An ABI with one error, made long by the names of parameters. */
function longAbi(error: string, bytes: number): string {
  const input = { type: 'uint8', name: '' };
  const item = { type: 'error', name: error, inputs: [input] };
  input.name = 'x'.repeat(bytes - JSON.stringify([item]).length);
  return JSON.stringify([item]);
}

test('one failure reads no more of ABIs than the largest one has, and what was read stays known', async () => {
  const { management, store } = await startManagement();
  const { owned } = await newPaymaster(management);
  const half = Math.floor(maxAbiBytes / 2);
  const addresses = [1, 2, 3, 4].map(addressOf);
  for (const [index, address] of addresses.entries()) {
    const abi = longAbi(`Error${index}`, half);
    accepted(await management.registerSmartContract({ ...owned, name: `contract ${index}`, address, abi }));
  }
  const errors = createRegisteredErrors(store);
  const find = async () => (await errors.find(owned.paymasterId, addresses)).map(({ name }) => name);
  expect(await find()).toEqual(['Error0', 'Error1']);
  expect(await find()).toEqual(['Error0', 'Error1', 'Error2', 'Error3']);
});
