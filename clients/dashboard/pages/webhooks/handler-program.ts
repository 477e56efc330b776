/** A webhook to start from: it verifies each call and answers, without any package. A test runs it as it is shown. */
export const handlerProgram = `import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

// Your rule: data is the webhookData of the request. Anyone can send it, so let it prove who asks.
async function isSponsored(data) {
  return data?.user === 'u-1';
}

const key = Buffer.from((process.env.WEBHOOK_SECRET ?? '').replace('whsec_', ''), 'base64');
if (key.length === 0) throw new Error('Set WEBHOOK_SECRET to the signing secret.');

function isSigned(headers, body) {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures = '' } = headers;
  if (!(Math.abs(Date.now() / 1000 - Number(timestamp)) <= 300)) return false; // recorded calls get old
  const expected = createHmac('sha256', key).update(\`\${id}.\${timestamp}.\${body}\`).digest();
  return signatures.split(' ').some((signature) => {
    const sent = Buffer.from(signature.replace('v1,', ''), 'base64');
    return sent.length === expected.length && timingSafeEqual(sent, expected);
  });
}

const server = createServer(async (request, response) => {
  let body = '';
  for await (const part of request.setEncoding('utf8')) {
    body += part;
    if (body.length > 1_000_000) return request.destroy();
  }
  if (!isSigned(request.headers, body)) return response.writeHead(401).end();
  const { data } = JSON.parse(body);
  const arePoliciesVerified = await isSponsored(data);
  response.setHeader('content-type', 'application/json').end(JSON.stringify({ arePoliciesVerified }));
});
server.listen(process.env.PORT ?? 8787, () => console.log('Listening on port', server.address().port));
`;
