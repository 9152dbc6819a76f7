import { type MetadataStorage } from 'class-validator';

type RulesStore = Pick<MetadataStorage, 'getTargetValidationMetadatas' | 'groupByPropertyName'>;

/**
 * Makes class-validator look for the rules of a class once. By itself it goes through all rules of all classes for each
 * object that it validates, which was a tenth of the processor time that the api of episodes spends on an add. What is
 * validated with groups or schemas is looked for each time.
 */
export function rememberRules(store: RulesStore): void {
  const find = store.getTargetValidationMetadatas.bind(store);
  const group = store.groupByPropertyName.bind(store);
  const ofClass = new WeakMap<object, ReturnType<typeof find>>();
  const byProperty = new WeakMap<object, ReturnType<typeof group>>();
  store.getTargetValidationMetadatas = (target, schema, always, strictGroups, groups) => {
    if (schema || always || strictGroups || groups?.length) {
      return find(target, schema, always, strictGroups, groups);
    }
    const rules = ofClass.get(target) ?? find(target, schema, always, strictGroups, groups);
    ofClass.set(target, rules);
    return rules;
  };
  store.groupByPropertyName = (rules) => {
    const grouped = byProperty.get(rules) ?? group(rules);
    byProperty.set(rules, grouped);
    return grouped;
  };
}
