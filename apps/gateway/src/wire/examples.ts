/** Values that the examples of the API document have in common. */
export const EXAMPLE_UID = '0197a3f2-6b1c-7d44-9c1e-2f6a8b0d4e11';
export const EXAMPLE_INSTANT = '2025-06-01T09:30:00+00:00';
export const EXAMPLE_SET_ID = 'mem_user_set_org_acme_1_7e8d0b20c039__producer_id_alice';
