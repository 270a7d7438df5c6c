export const PEOPLE_PATH = '/portal/people'
export const PREFERENCES_PATH = '/portal/sessions/preferences'
