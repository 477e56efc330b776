/** As a process of its own: asks `/livez` of the admin address that it is given, and answers each message with the longest wait since the last. */
const [, , adminUrl] = process.argv;
let longest = 0;
let isDone = false;

process.on('message', () => {
  process.send?.(longest);
  longest = 0;
});
process.once('disconnect', () => {
  isDone = true;
});
process.send?.('ready');
while (!isDone) {
  const asked = performance.now();
  await (await fetch(`${adminUrl}/livez`)).text();
  longest = Math.max(longest, performance.now() - asked);
}
process.exit(0);
