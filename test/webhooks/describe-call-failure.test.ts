import { expect, test } from 'vitest';
import { describeCallFailure } from '../../core/webhooks/guarded-get.ts';

const failure = (code: unknown, name = 'Error') => Object.assign(new Error('10.0.0.9:443'), { code, name });

test.each([
  ['UND_ERR_RES_EXCEEDED_MAX_SIZE', 'answered more than 16384 bytes'],
  ['UND_ERR_HEADERS_OVERFLOW', 'answered with more than 8192 bytes of headers'],
  ['UND_ERR_RES_CONTENT_LENGTH_MISMATCH', 'answered with a body that is not as long as announced'],
  ['UND_ERR_SOCKET', 'closed the connection before it responded'],
  ['ECONNRESET', 'closed the connection before it responded'],
  ['UND_ERR_DESTROYED', 'was not waited for: the service is stopping'],
  ['UND_ERR_CLOSED', 'was not waited for: the service is stopping'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'has a TLS certificate or configuration that is not accepted'],
  ['CERT_HAS_EXPIRED', 'has a TLS certificate or configuration that is not accepted'],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'has a TLS certificate or configuration that is not accepted'],
  ['UNABLE_TO_DECRYPT_CRL_SIGNATURE', 'has a TLS certificate or configuration that is not accepted'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'has a TLS certificate or configuration that is not accepted'],
  ['ERR_SSL_WRONG_VERSION_NUMBER', 'has a TLS certificate or configuration that is not accepted'],
  ['EPROTO', 'has a TLS certificate or configuration that is not accepted'],
  // Which of these it is would tell what stands in the operator's network.
  ['ECONNREFUSED', 'could not be reached'],
  ['ENOTFOUND', 'could not be reached'],
  ['EHOSTUNREACH', 'could not be reached'],
  ['UND_ERR_CONNECT_TIMEOUT', 'could not be reached'],
  [undefined, 'could not be reached'],
  [7, 'could not be reached'],
])('a call that fails with %s is said to be one that %s', (code, words) => {
  expect(describeCallFailure(failure(code), 100)).toBe(words);
});

test('a call that takes too long is said to have, with the limit', () => {
  expect(describeCallFailure(failure(23, 'TimeoutError'), 100)).toBe('did not answer within 100 ms');
});

test('an answer that is no HTTP is said to be none, whatever its code', () => {
  expect(describeCallFailure(failure('HPE_INVALID_CONSTANT', 'HTTPParserError'), 100)).toBe(
    'answered something that is not HTTP',
  );
});

test.each([['ECONNRESET'], [undefined], [null]])('what is no error (%j) is one that could not be reached', (thrown) => {
  expect(describeCallFailure(thrown, 100)).toBe('could not be reached');
});
