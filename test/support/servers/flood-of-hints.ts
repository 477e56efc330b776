/**
 * The program of a thread that sends `103 Early Hints` for as long as anybody reads them, and posts its port. In a thread of
 * its own it is not slowed down by the one who suffers.
 */
export const floodOfHints = `
  const { parentPort } = require('node:worker_threads');
  const hints = Buffer.from('HTTP/1.1 103 Early Hints\\r\\n\\r\\n'.repeat(2_000));
  const server = require('node:net').createServer((socket) => {
    const pour = () => { while (!socket.destroyed && socket.write(hints)); };
    socket.on('error', () => undefined).on('drain', pour).once('data', pour);
  });
  server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));
`;
