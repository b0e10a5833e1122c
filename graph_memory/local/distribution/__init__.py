"""What the managed server is made of: versions, locked jars, and the Java that runs them.

In: a version. Out: jars that match their checksums, and a Java.
"""
