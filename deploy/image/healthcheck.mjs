// Ends with 0 while the service answers: `node healthcheck.mjs [http://…/livez | unix:/…/core.sock]`. A core is asked by its
// gRPC health service; that it answers is enough, as for /livez: a node that is away is no reason to restart.
const [address = 'http://127.0.0.1:9464/livez'] = process.argv.slice(2);
/** Longest wait for an answer, in milliseconds. */
const timeoutMs = 3_000;

async function askHttp() {
  const response = await fetch(address, { signal: AbortSignal.timeout(timeoutMs) });
  if (!response.ok) throw new Error(`answers ${response.status}`);
}

async function askGrpc() {
  const { Client, credentials } = await import('@grpc/grpc-js');
  const client = new Client(address, credentials.createInsecure());
  const bytes = (value) => Buffer.from(value);
  await new Promise((resolve, reject) => {
    const deadline = Date.now() + timeoutMs;
    // An empty request asks for the server as a whole.
    client.makeUnaryRequest('/grpc.health.v1.Health/Check', bytes, bytes, '', { deadline }, (error) =>
      error === null ? resolve() : reject(error),
    );
  });
}

try {
  await (address.startsWith('unix:') ? askGrpc() : askHttp());
  process.exit(0);
} catch (error) {
  process.stderr.write(`${address} ${error instanceof Error ? error.message : 'does not respond'}\n`);
  process.exit(1);
}
