/** A self-signed certificate for `policies.example` and its key, for servers of these tests only. */
export const testCertificate = {
  cert: `-----BEGIN CERTIFICATE-----
MIIBqjCCAVCgAwIBAgIUPkbePvjFzBu2ktxjPgc6Vj+ngeIwCgYIKoZIzj0EAwIw
GzEZMBcGA1UEAwwQcG9saWNpZXMuZXhhbXBsZTAgFw0yNjExMjAxMTA3NDNaGA8y
MTI2MTAyNzExMDc0M1owGzEZMBcGA1UEAwwQcG9saWNpZXMuZXhhbXBsZTBZMBMG
ByqGSM49AgEGCCqGSM49AwEHA0IABJWSsddtoomSgJO5e5arkHj1zBtm2HKn3oEg
+h5dt6xxaLL2GJmXK9bdPbKhADd0Tqqb0xO+aGMkQMwaoMtz+EWjcDBuMB0GA1Ud
DgQWBBQlnUpY/BaidrHyGmiqxttZHeS/wDAfBgNVHSMEGDAWgBQlnUpY/BaidrHy
GmiqxttZHeS/wDAPBgNVHRMBAf8EBTADAQH/MBsGA1UdEQQUMBKCEHBvbGljaWVz
LmV4YW1wbGUwCgYIKoZIzj0EAwIDSAAwRQIgHNOF3Ff1WkJeGaLQ6IQlB81Ry9Jz
gEs1tvG7eC/K5JsCIQCdgsUa0uZ98knXWbYajnjNsY7r/YvMxWKtyZ/xqBrB5w==
-----END CERTIFICATE-----
`,
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgGXKY3271Egea7goq
ytCzjT83eIjE3X4bWmX6rnxNfzihRANCAASVkrHXbaKJkoCTuXuWq5B49cwbZthy
p96BIPoeXbescWiy9hiZlyvW3T2yoQA3dE6qm9MTvmhjJEDMGqDLc/hF
-----END PRIVATE KEY-----
`,
};
