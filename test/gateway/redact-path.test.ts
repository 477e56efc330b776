import { expect, test } from 'vitest';
import { redactPath } from '../../gateway/http/observe-request.ts';
import { apiKey } from '../support/gateway/fake-core.ts';

test.each([
  [`/api/v2/31337/${apiKey}`, '/api/v2/31337/[redacted]'],
  ['/api/v1/1/not-a-real-key?x=1', '/api/v1/1/[redacted]'],
  [`/api/v9/1/${apiKey}`, '/api/v9/1/[redacted]'],
  [`/somewhere/${apiKey}/else`, '/somewhere/[redacted]/else'],
  ['/a/tf_abc123', '/a/[redacted]'],
  ['/a/tfs_abc-123', '/a/[redacted]'],
  ['/api/v2/public/sdk/webhook?webhookId=tf_abc', '/api/v2/public/sdk/webhook'],
])('%s is logged as %s', (url, logged) => {
  expect(redactPath(url)).toBe(logged);
});
