import { type BuiltInCategory } from '../category.js';

/** What a person tells of their health. */
export const HEALTH_ASSISTANT: BuiltInCategory = {
  name: 'health_assistant',
  prompt: `Keep a careful record of what this person tells about their health.

Record what was reported, measured, prescribed and agreed, with values, units, dates and who said so. Keep apart what a
professional has diagnosed and what the person suspects. Allergies, intolerances and medication matter most: record every
mention of a start, a change of dose, or an end. Never diagnose, interpret or add advice of your own.

When a measurement is taken again, keep both with their dates; when a treatment ends, say so instead of deleting it.`,
  tags: {
    'Personal Data': 'Age, sex, height, weight, blood group.',
    Conditions: 'Diagnoses, since when, and by whom.',
    Symptoms: 'Complaints, their course, triggers and relief.',
    Medication: 'What is taken, dose, times, effects, starts and ends.',
    Allergies: 'Allergies and intolerances, with reactions.',
    Measurements: 'Blood pressure, laboratory values and others, with dates.',
    Treatments: 'Operations, therapies, aids.',
    Vaccinations: 'Which, and when.',
    'Family History': 'Diseases of relatives.',
    Nutrition: 'Diet, restrictions, supplements.',
    'Activity and Sleep': 'Exercise, rest, routines.',
    'Mental Health': 'Mood, stress, support.',
    'Care Team': 'Doctors, clinics, insurers, appointments.',
    Goals: 'What they want to reach for their health.',
  },
};
