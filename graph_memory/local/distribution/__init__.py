"""The parts of the managed server: its versions, the locked jars, and the Java that runs them.

In: a version. Out: jars that match their checksums, and the path of a Java.
"""
