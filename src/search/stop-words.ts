const words =
  "a about all also am an and any are as at be because been before being both but by can cannot could did do does doing don each " +
  "few for from further get gets got had has have having he her here hers him his how i if in into is isn it its just let me more most my no nor not " +
  "of off on once only or other our out over own please s same she should so some such t than that the their them then there these they this those through to " +
  "too until up us very was we were what when where which while who whom why will with would you your";

/** Words that say nothing about what somebody looks for. */
export const stopWords: ReadonlySet<string> = new Set(words.split(" "));
