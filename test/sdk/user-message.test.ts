import { parseAbi } from 'viem';
import { expect, test } from 'vitest';
import { SponsorshipRefusedError, TransportError } from '../../clients/sdk/errors/errors.ts';
import { userMessage } from '../../clients/sdk/errors/user-message.ts';
import { type RpcRefusalReason, rpcRefusals } from '../../contract/rpc/refusals.ts';

const target = `0x${'ab'.repeat(20)}`;
const abi = parseAbi(['function buy(uint256 id)', 'function refund()']);

function refusal(reason: RpcRefusalReason, data: object = {}) {
  const { code } = rpcRefusals[reason];
  const message = `The method 0x590e1ae3 of ${target} with the key abc.def is refused.`;
  return new SponsorshipRefusedError({ code, message, data: { reason, ...data } }, 422);
}

test('names the method that was refused, in whatever error of another library it is', () => {
  const error = refusal('METHOD_NOT_WHITELISTED', { target, selector: '0x590e1ae3' });
  expect(userMessage(error, { abi })).toBe('“refund” is not free of charge here.');
  expect(userMessage(new Error('viem', { cause: error }), { abi })).toBe('“refund” is not free of charge here.');
  expect(userMessage(error)).toBe('This transaction is not free of charge here.');
});

test('says what the user can pay in when nothing is free any more', () => {
  const tokens = [{ address: target, symbol: 'USDC', decimals: 6 }];
  const thenPayInToken = { ask: { method: 'pm_getFeeQuoteOrData', mode: 'ERC20' }, tokens };
  expect(userMessage(refusal('LIMIT_EXCEEDED', { thenPayInToken }))).toBe(
    'Your free transactions are used up for now. You can pay in USDC instead.',
  );
});

test.each(Object.keys(rpcRefusals) as RpcRefusalReason[])('has a sentence without internals for %s', (reason) => {
  const sentence = userMessage(refusal(reason, { target, selector: '0x12345678' }), { abi });
  expect(sentence).toMatch(/^[A-Z“].*\.$/);
  expect(sentence).not.toMatch(/0x|abc|gas tank|paymaster|webhook|apiKey|policy/i);
});

test('has a sentence for a service that does not respond, and for what is not of the SDK', () => {
  const away = new TransportError('The service could not be reached.', { failure: 'unreachable' });
  expect(userMessage(away)).toContain('Try again shortly.');
  for (const other of [new Error('secret'), 'secret', undefined]) expect(userMessage(other)).not.toContain('secret');
});
