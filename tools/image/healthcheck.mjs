// Ends with 0 when the process of this container is ready to work: for HEALTHCHECK, in an image without curl.
const { PROBE_PORT, PORT } = process.env;
const answer = await fetch(`http://127.0.0.1:${PROBE_PORT ?? PORT}/health/ready`, {
  signal: AbortSignal.timeout(2_000),
}).catch(() => ({ ok: false }));
process.exit(answer.ok ? 0 : 1);
