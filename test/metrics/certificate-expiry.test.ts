import { X509Certificate } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { loadConfig } from '../../server/config/load-config.ts';
import { watchProcess } from '../../server/process/watch-process.ts';
import { readCertificateExpiries } from '../../server/watch-certificate.ts';
import { silentLogger } from '../support/logging/recording-logger.ts';
import { testCertificate } from '../support/servers/test-certificate.ts';

test('a process tells when each certificate that it started with expires', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tollfree-tls-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const certificate = join(folder, 'one.pem');
  writeFileSync(certificate, testCertificate.cert);
  const tls = { certificateFile: 'one.pem', keyFile: 'one.key' };
  const settings = {
    grpc: { listen: '127.0.0.1:1', tls: { ...tls, clientCaFile: 'none.pem' } },
    core: { address: '127.0.0.1:1', tls: { ...tls, caFile: 'one.pem' } },
  };
  writeFileSync(join(folder, 'tollfree.json'), JSON.stringify(settings));
  const config = loadConfig({ config: join(folder, 'tollfree.json') }, {});
  const { metrics } = watchProcess('core', silentLogger, readCertificateExpiries(config));
  const metric = (await metrics()).find(({ name }) => name === 'tollfree_certificate_expiry_time_seconds');
  const value = Date.parse(new X509Certificate(testCertificate.cert).validTo) / 1_000;
  expect(metric?.samples.map(({ labels, value: at }) => ({ ...labels, at }))).toEqual(
    ['grpc.tls.certificateFile', 'core.tls.certificateFile', 'core.tls.caFile'].map((setting) => ({
      process: 'core',
      setting,
      at: value,
    })),
  );
});
