/** The PostgreSQL schema that this service owns. */
export const SCHEMA = 'semantic';
